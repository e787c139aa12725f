using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

namespace PartnerBooking
{
    public static class Digest
    {
        /// <summary>Returns the hash of the bookings of one day, in any order. Each has a reference and a version.</summary>
        public static string OfDay(IEnumerable<IDictionary<string, object>> bookings)
        {
            IEnumerable<string> lines = bookings
                .Select(one => one["reference"] + ":" + one["version"] + "\n")
                .OrderBy(line => line, StringComparer.Ordinal);
            using (SHA256 sha = SHA256.Create())
            {
                byte[] hash = sha.ComputeHash(Encoding.UTF8.GetBytes(string.Concat(lines)));
                return string.Concat(hash.Select(one => one.ToString("x2")));
            }
        }
    }
}
