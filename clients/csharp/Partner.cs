// Client of the Partner Booking API for .NET Standard 2.0 (.NET, .NET Framework 4.7.2, Mono), C# 7.3, without packages.
// Needs PartnerError.cs and Json.cs.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

namespace PartnerBooking
{
    /// <summary>Calls the API with the key of one application. Every call returns the data of the response, or throws a PartnerError.</summary>
    public sealed class Partner
    {
        private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(15);

        // Follows no redirect: it could turn a write into a read, and send the key to another host.
        private static readonly HttpClient Http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false, UseCookies = false })
        {
            Timeout = System.Threading.Timeout.InfiniteTimeSpan
        };

        private readonly string baseUrl;
        private readonly string apiKey;
        private readonly TimeSpan maxDuration;
        private readonly Random random = new Random(Guid.NewGuid().GetHashCode());

        /// <summary>A call takes at most maxDuration, including its repetitions and waits.</summary>
        public Partner(string baseUrl, string apiKey, TimeSpan maxDuration)
        {
            this.baseUrl = baseUrl;
            this.apiKey = apiKey.Trim();
            this.maxDuration = maxDuration;
        }

        /// <summary>Returns a client with the base URL and the key of the environment variables API and API_KEY.</summary>
        public static Partner FromEnvironment()
        {
            string key = Environment.GetEnvironmentVariable("API_KEY") ?? "";
            return new Partner(Environment.GetEnvironmentVariable("API") ?? "", key, TimeSpan.FromSeconds(60));
        }

        /// <summary>Returns a request. Throws an ArgumentException if it cannot be sent, because a retry would not help.</summary>
        private HttpRequestMessage RequestOf(string method, string path, string body, string idempotencyKey)
        {
            string url = baseUrl + path;
            if (!Regex.IsMatch(url, @"^https?://[^/?#][!-~]*\z"))
                throw new ArgumentException("The base URL must start with http:// or https://, and the path must be percent-encoded.");
            if (!Regex.IsMatch(apiKey, @"^[!-~]+\z"))
                throw new ArgumentException("The key is empty or has characters that a header must not have.");
            var request = new HttpRequestMessage(new HttpMethod(method), new Uri(url));
            request.Headers.TryAddWithoutValidation("Authorization", "Bearer " + apiKey);
            if (body == null) return request;
            if (idempotencyKey == null || !Regex.IsMatch(idempotencyKey, @"^[!-~]+\z"))
                throw new ArgumentException("A write needs an idempotency key of printable ASCII characters.");
            request.Headers.TryAddWithoutValidation("Idempotency-Key", idempotencyKey);
            request.Content = new StringContent(body, Encoding.UTF8, "application/json");
            return request;
        }

        /// <summary>Sends a request once. Returns the data of a success. The timeout includes the body.</summary>
        private static async Task<Dictionary<string, object>> SendAsync(HttpRequestMessage request, TimeSpan timeout, CancellationToken cancel)
        {
            HttpResponseMessage response;
            string text;
            using (var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel))
            {
                limit.CancelAfter(timeout);
                try
                {
                    response = await Http.SendAsync(request, HttpCompletionOption.ResponseContentRead, limit.Token).ConfigureAwait(false);
                    text = await response.Content.ReadAsStringAsync().ConfigureAwait(false);
                }
                catch (Exception failed) when (!cancel.IsCancellationRequested && !(failed is ArgumentException))
                {
                    throw NoResponse(failed, limit.IsCancellationRequested);
                }
            }
            using (response)
            {
                int status = (int)response.StatusCode;
                if (status >= 300 && status < 400) throw new PartnerError("The API never redirects: check the base URL.", status, "redirected");
                Dictionary<string, object> body = BodyOf(text);
                object content;
                body.TryGetValue(status < 300 ? "data" : "error", out content);
                var known = content as Dictionary<string, object>;
                if (status < 300 && known != null) return known;
                throw ErrorOf(response, status < 300 ? null : known);
            }
        }

        /// <summary>Returns a body of the API, or an empty object for one that is for example from a proxy. Every body has a request id.</summary>
        private static Dictionary<string, object> BodyOf(string text)
        {
            object body;
            try { body = Json.Parse(text); }
            catch (FormatException) { body = null; }
            bool ours = (TextOf(ObjectOf(ObjectOf(body), "meta"), "request_id") ?? "").StartsWith("req_", StringComparison.Ordinal);
            return ours ? ObjectOf(body) : new Dictionary<string, object>();
        }

        /// <summary>Returns the error of a request without a complete response. Its message states the cause.</summary>
        private static PartnerError NoResponse(Exception failed, bool late)
        {
            var causes = new List<Exception>();
            for (Exception one = failed; one != null; one = one.InnerException) causes.Add(one);
            var web = causes.OfType<WebException>().Select(one => one.Status).ToList();
            var socket = causes.OfType<SocketException>().Select(one => one.SocketErrorCode).ToList();
            if (late) return new PartnerError("There was no complete response in time.", 0, "no_response");
            if (socket.Contains(SocketError.ConnectionRefused))
                return new PartnerError("The connection was refused: check the base URL.", 0, "connection_refused");
            if (socket.Contains(SocketError.HostNotFound) || socket.Contains(SocketError.NoData) || web.Contains(WebExceptionStatus.NameResolutionFailure))
                return new PartnerError("The host name was not found: check the base URL.", 0, "name_not_found");
            // A connection that was closed is no failure of TLS: it can heal.
            bool tls = causes.OfType<AuthenticationException>().Any() || web.Contains(WebExceptionStatus.TrustFailure)
                || web.Contains(WebExceptionStatus.SecureChannelFailure);
            if (tls && !causes.OfType<EndOfStreamException>().Any())
                return new PartnerError("The TLS connection failed: check the base URL and the certificate.", 0, "tls_failed");
            return new PartnerError("There was no complete response: " + causes[causes.Count - 1].Message, 0, "no_response");
        }

        private static PartnerError ErrorOf(HttpResponseMessage response, Dictionary<string, object> error)
        {
            int status = (int)response.StatusCode;
            string requestId = HeaderOf(response, "X-Request-Id");
            // The API sends seconds. A date from a proxy counts as no value.
            string after = HeaderOf(response, "Retry-After") ?? "";
            long retryAfter = !Regex.IsMatch(after, @"^[0-9]+\z") ? 0 : after.Length > 6 ? 1000000 : long.Parse(after, CultureInfo.InvariantCulture);
            string code = TextOf(error, "code"), message = TextOf(error, "message");
            object reason = null, fields = null;
            bool ours = error != null && error.TryGetValue("reason", out reason) && (reason == null || reason is string)
                && error.TryGetValue("fields", out fields) && fields is List<object> && Regex.IsMatch(code ?? "", @"^[a-z_]+\z") && message != null
                && ((List<object>)fields).All(one => TextOf(ObjectOf(one), "path") != null && TextOf(ObjectOf(one), "message") != null);
            if (ours) return new PartnerError(message, status, code, (string)reason, requestId, retryAfter, ListOf(error, "fields"));
            string unknown = "The response is not from the API (status " + status + "): check the base URL.";
            return new PartnerError(unknown, status, "unknown", null, requestId, retryAfter, null);
        }

        private static string HeaderOf(HttpResponseMessage response, string name)
        {
            IEnumerable<string> values;
            return response.Headers.TryGetValues(name, out values) ? values.FirstOrDefault() : null;
        }

        // region retry
        /// <summary>Repeats a request unchanged after a temporary failure, for a bounded time.</summary>
        public async Task<Dictionary<string, object>> CallAsync(
            string method, string path, object body, string idempotencyKey, CancellationToken cancel = default(CancellationToken))
        {
            string text = body == null ? null : Json.Write(body);
            Stopwatch elapsed = Stopwatch.StartNew();
            for (int attempt = 1; ; attempt++)
            {
                TimeSpan left = maxDuration - elapsed.Elapsed, least = TimeSpan.FromMilliseconds(100);
                TimeSpan wait;
                try
                {
                    // A request can be sent only once, so each repetition is a new one with the same content.
                    using (HttpRequestMessage request = RequestOf(method, path, text, idempotencyKey))
                        return await SendAsync(request, left > Timeout ? Timeout : left < least ? least : left, cancel).ConfigureAwait(false);
                }
                catch (PartnerError error)
                {
                    // After a 5xx or a body that is not from the API, the outcome of a write is uncertain.
                    bool uncertain = error.Status >= 500 || error.Code == "no_response" || error.Code == "connection_refused" || error.Code == "unknown";
                    // An invalid key stays invalid: a retry would only count as another failed authentication.
                    bool temporary = (uncertain || error.Status == 429) && error.Reason != "failed_authentication";
                    int most = error.Code == "connection_refused" ? 3 : 6;
                    double backoff = 0.5 * Math.Pow(2, attempt - 1), part;
                    lock (random) part = random.NextDouble() * backoff;
                    wait = TimeSpan.FromSeconds(Math.Max(error.RetryAfter, backoff) + part);
                    if (!temporary || attempt >= most || elapsed.Elapsed + wait >= maxDuration) throw;
                }
                // The same request, with the same idempotency key: a write that has succeeded is replayed.
                await Task.Delay(wait, cancel).ConfigureAwait(false);
            }
        }
        // endregion retry

        /// <summary>Calls page with the data of each page of a list.</summary>
        public async Task PagesAsync(string path, IDictionary<string, object> query, Action<Dictionary<string, object>> page)
        {
            var next = new Dictionary<string, object>(query);
            // No list has more pages.
            for (int count = 0; count < 10000; count++)
            {
                Dictionary<string, object> data = await CallAsync("GET", path + Search(next), null, null).ConfigureAwait(false);
                page(data);
                if (TextOf(data, "next_cursor") == null) return;
                next["cursor"] = data["next_cursor"];
            }
        }

        /// <summary>Returns parameters as the query of a URL with its question mark, or nothing.</summary>
        public static string Search(IDictionary<string, object> query)
        {
            // In .NET, the text of true is True.
            var parts = query.Select(one => one.Key + "=" + Uri.EscapeDataString(
                one.Value is bool ? Json.Write(one.Value) : Convert.ToString(one.Value, CultureInfo.InvariantCulture)));
            return query.Count == 0 ? "" : "?" + string.Join("&", parts);
        }

        /// <summary>Returns a value as an object, or an empty one if it is none.</summary>
        public static Dictionary<string, object> ObjectOf(object value)
        {
            return value as Dictionary<string, object> ?? new Dictionary<string, object>();
        }

        /// <summary>Returns an object in an object, or an empty one if there is none.</summary>
        public static Dictionary<string, object> ObjectOf(Dictionary<string, object> data, string name)
        {
            object value;
            data.TryGetValue(name, out value);
            return ObjectOf(value);
        }

        /// <summary>Returns the objects of a list in an object, or none.</summary>
        public static List<Dictionary<string, object>> ListOf(Dictionary<string, object> data, string name)
        {
            object value;
            data.TryGetValue(name, out value);
            return (value as List<object> ?? new List<object>()).Select(ObjectOf).ToList();
        }

        private static string TextOf(Dictionary<string, object> data, string name)
        {
            object value = null;
            if (data != null) data.TryGetValue(name, out value);
            return value as string;
        }

        // region operations
        /// <summary>List services and locations: GET /catalog.</summary>
        public Task<Dictionary<string, object>> ListCatalogAsync(IDictionary<string, object> query, CancellationToken cancel = default(CancellationToken))
        {
            return CallAsync("GET", "/catalog" + Search(query), null, null, cancel);
        }

        /// <summary>List specialists: GET /catalog/specialists.</summary>
        public Task<Dictionary<string, object>> ListSpecialistsAsync(IDictionary<string, object> query, CancellationToken cancel = default(CancellationToken))
        {
            return CallAsync("GET", "/catalog/specialists" + Search(query), null, null, cancel);
        }

        /// <summary>List free slots: GET /availability.</summary>
        public Task<Dictionary<string, object>> ListAvailabilityAsync(IDictionary<string, object> query, CancellationToken cancel = default(CancellationToken))
        {
            return CallAsync("GET", "/availability" + Search(query), null, null, cancel);
        }

        /// <summary>List days with free slots: GET /availability/days.</summary>
        public Task<Dictionary<string, object>> ListAvailabilityDaysAsync(IDictionary<string, object> query, CancellationToken cancel = default(CancellationToken))
        {
            return CallAsync("GET", "/availability/days" + Search(query), null, null, cancel);
        }

        /// <summary>Explain free and refused starts: GET /availability/explain.</summary>
        public Task<Dictionary<string, object>> ExplainAvailabilityAsync(IDictionary<string, object> query, CancellationToken cancel = default(CancellationToken))
        {
            return CallAsync("GET", "/availability/explain" + Search(query), null, null, cancel);
        }

        /// <summary>Create a booking: POST /bookings.</summary>
        public Task<Dictionary<string, object>> CreateBookingAsync(object body, string idempotencyKey, CancellationToken cancel = default(CancellationToken))
        {
            return CallAsync("POST", "/bookings", body, idempotencyKey, cancel);
        }

        /// <summary>List or find bookings: GET /bookings.</summary>
        public Task<Dictionary<string, object>> ListBookingsAsync(IDictionary<string, object> query, CancellationToken cancel = default(CancellationToken))
        {
            return CallAsync("GET", "/bookings" + Search(query), null, null, cancel);
        }

        /// <summary>Read a booking: GET /bookings/{pbr_reference}.</summary>
        public Task<Dictionary<string, object>> ReadBookingAsync(string reference, CancellationToken cancel = default(CancellationToken))
        {
            return CallAsync("GET", "/bookings/" + Uri.EscapeDataString(reference), null, null, cancel);
        }

        /// <summary>Cancel a booking: POST /bookings/{pbr_reference}/actions/cancel.</summary>
        public Task<Dictionary<string, object>> CancelBookingAsync(string reference, object body, string idempotencyKey, CancellationToken cancel = default(CancellationToken))
        {
            return CallAsync("POST", "/bookings/" + Uri.EscapeDataString(reference) + "/actions/cancel", body, idempotencyKey, cancel);
        }

        /// <summary>Reschedule a booking: POST /bookings/{pbr_reference}/actions/reschedule.</summary>
        public Task<Dictionary<string, object>> RescheduleBookingAsync(string reference, object body, string idempotencyKey, CancellationToken cancel = default(CancellationToken))
        {
            return CallAsync("POST", "/bookings/" + Uri.EscapeDataString(reference) + "/actions/reschedule", body, idempotencyKey, cancel);
        }

        /// <summary>Send yourself a test event: POST /webhooks/test-events.</summary>
        public Task<Dictionary<string, object>> SendTestEventAsync(object body, string idempotencyKey, CancellationToken cancel = default(CancellationToken))
        {
            return CallAsync("POST", "/webhooks/test-events", body, idempotencyKey, cancel);
        }

        /// <summary>Compare bookings by day: GET /bookings/digest.</summary>
        public Task<Dictionary<string, object>> DigestBookingsAsync(IDictionary<string, object> query, CancellationToken cancel = default(CancellationToken))
        {
            return CallAsync("GET", "/bookings/digest" + Search(query), null, null, cancel);
        }

        /// <summary>List events: GET /events.</summary>
        public Task<Dictionary<string, object>> ListEventsAsync(IDictionary<string, object> query, CancellationToken cancel = default(CancellationToken))
        {
            return CallAsync("GET", "/events" + Search(query), null, null, cancel);
        }

        /// <summary>Read who you are: GET /me.</summary>
        public Task<Dictionary<string, object>> ReadMeAsync(CancellationToken cancel = default(CancellationToken))
        {
            return CallAsync("GET", "/me", null, null, cancel);
        }
        // endregion operations
    }
}
