using System;
using System.Collections.Generic;
using System.Linq;

namespace PartnerBooking
{
    /// <summary>
    /// A failed call. Branch on Code and Reason; log RequestId. Status 0: there was no complete response. Codes of this client:
    /// unknown (a response that is not from the API), redirected, and without a complete response connection_refused,
    /// name_not_found, tls_failed, or else no_response. Fields contains the path and the message of each invalid field.
    /// </summary>
    public sealed class PartnerError : Exception
    {
        public int Status { get; }
        public string Code { get; }
        public string Reason { get; }
        public string RequestId { get; }
        /// <summary>In seconds.</summary>
        public long RetryAfter { get; }
        public IReadOnlyList<Dictionary<string, object>> Fields { get; }

        public PartnerError(
            string message, int status, string code, string reason = null, string requestId = null, long retryAfter = 0,
            IReadOnlyList<Dictionary<string, object>> fields = null)
            : base(status + " " + code + ": " + message + Named(fields))
        {
            Status = status;
            Code = code;
            Reason = reason;
            RequestId = requestId;
            RetryAfter = retryAfter;
            Fields = fields ?? new List<Dictionary<string, object>>();
        }

        private static string Named(IReadOnlyList<Dictionary<string, object>> fields)
        {
            if (fields == null || fields.Count == 0) return "";
            return " (" + string.Join("; ", fields.Select(one => one["path"] + ": " + one["message"])) + ")";
        }
    }
}
