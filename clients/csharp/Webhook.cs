// Webhook verification for .NET Standard 2.0 (.NET, .NET Framework 4.7.2, Mono), C# 7.3, without packages.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

namespace PartnerBooking
{
    public static class Webhook
    {
        /// <summary>
        /// Returns whether a webhook is authentic and at most five minutes old. body is the raw body. Header names are in lowercase.
        /// During a rotation, secrets contains the old and the new secret. An empty or malformed secret throws an ArgumentException.
        /// now is in Unix seconds.
        /// </summary>
        public static bool Verify(IEnumerable<string> secrets, IDictionary<string, string> headers, byte[] body, long now)
        {
            string id = HeaderOf(headers, "webhook-id"), sent = HeaderOf(headers, "webhook-timestamp");
            if (id == "" || !Regex.IsMatch(sent, @"^[0-9]{1,12}\z")) return false;
            if (Math.Abs(now - long.Parse(sent, CultureInfo.InvariantCulture)) > 300) return false;
            byte[] signed = Encoding.UTF8.GetBytes(id + "." + sent + ".").Concat(body).ToArray();
            bool valid = false;
            foreach (string secret in secrets)
            {
                using (var hmac = new HMACSHA256(KeyOf(secret)))
                {
                    byte[] expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(hmac.ComputeHash(signed)));
                    foreach (string one in HeaderOf(headers, "webhook-signature").Split(' '))
                        valid |= AreEqual(Encoding.UTF8.GetBytes(one), expected);
                }
            }
            return valid;
        }

        private static string HeaderOf(IDictionary<string, string> headers, string name)
        {
            string value;
            return headers.TryGetValue(name, out value) ? value : "";
        }

        private static byte[] KeyOf(string secret)
        {
            string text = secret.StartsWith("whsec_", StringComparison.Ordinal) ? secret.Substring(6) : secret;
            byte[] key;
            try { key = Regex.IsMatch(text, @"^[A-Za-z0-9+/=]+\z") ? Convert.FromBase64String(text) : new byte[0]; }
            catch (FormatException) { key = new byte[0]; }
            // Everyone can sign with an empty key.
            if (key.Length == 0) throw new ArgumentException("A webhook secret must be whsec_ followed by base64.");
            return key;
        }

        // Takes the same time wherever the first difference is. .NET Standard 2.0 has no such function.
        private static bool AreEqual(byte[] one, byte[] other)
        {
            if (one.Length != other.Length) return false;
            int difference = 0;
            for (int i = 0; i < one.Length; i++) difference |= one[i] ^ other[i];
            return difference == 0;
        }
    }
}
