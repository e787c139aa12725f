// Runs the samples in C#: the booking, the test vectors, a call with a refused key, requests that cannot be sent, and a
// list with several pages.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using PartnerBooking;

static class Driver
{
    static bool Verify(Dictionary<string, object> one)
    {
        var headers = Partner.ObjectOf(one, "headers").ToDictionary(header => header.Key, header => (string)header.Value);
        var secrets = ((List<object>)one["secrets"]).Cast<string>();
        return Webhook.Verify(secrets, headers, Encoding.UTF8.GetBytes((string)one["body"]), (long)one["now"]);
    }

    static object Outcome(Dictionary<string, object> one)
    {
        try { return Verify(one); }
        catch (ArgumentException error) { return error.Message; }
    }

    static string Results(string file, Func<Dictionary<string, object>, object> result)
    {
        return Json.Write(((List<object>)Json.Parse(File.ReadAllText(file))).Select(one => result(Partner.ObjectOf(one))));
    }

    static string Failure(Partner partner, string method, string path, object body, string key)
    {
        try
        {
            partner.CallAsync(method, path, body, key).GetAwaiter().GetResult();
            return "sent";
        }
        catch (PartnerError error) { return error.Message; }
        catch (ArgumentException) { return "not sent"; }
    }

    static void Main(string[] args)
    {
        Book.Main();
        Console.WriteLine("verified " + Results(args[0], one => Verify(one)));
        Console.WriteLine("forged " + Results("forged.json", Outcome));

        Partner partner = Partner.FromEnvironment();
        try
        {
            partner.ListCatalogAsync(new Dictionary<string, object> { ["limit"] = 0, ["color"] = "red" }).GetAwaiter().GetResult();
        }
        catch (PartnerError error)
        {
            Console.WriteLine("invalid " + string.Join(",", error.Fields.Select(field => field["path"])) + " " + error.Message);
        }
        string api = Environment.GetEnvironmentVariable("API"), key = Environment.GetEnvironmentVariable("API_KEY");
        TimeSpan time = TimeSpan.FromSeconds(60);
        try
        {
            new Partner(api, "pbk_live_refused", time).CallAsync("GET", "/catalog", null, null).GetAwaiter().GetResult();
        }
        catch (PartnerError error)
        {
            Console.WriteLine("refused " + error.Status + " " + error.Code + " " + error.Reason);
        }

        var spaced = new Partner(api, key + "\n", time);
        var empty = new Dictionary<string, object>();
        var kinds = new HashSet<string>
        {
            Failure(spaced, "GET", "/a path", null, null),
            Failure(spaced, "GET", "/caf\u00e9", null, null),
            Failure(spaced, "POST", "/bookings", empty, null),
            Failure(spaced, "POST", "/bookings", empty, "a key\r\nof two lines"),
            Failure(spaced, "POST", "/bookings", new Dictionary<string, object> { ["date"] = double.NaN }, "a-key-of-one-line"),
            Failure(new Partner("httpx://127.0.0.1", key, time), "GET", "/catalog", null, null),
            Failure(new Partner("http:///v1", key, time), "GET", "/catalog", null, null)
        };
        Console.WriteLine(string.Join(", ", kinds));

        partner.PagesAsync("/catalog", new Dictionary<string, object> { ["limit"] = 1 }, page =>
        {
            foreach (var service in Partner.ListOf(page, "services")) Console.WriteLine(service["id"]);
        }).GetAwaiter().GetResult();
        AllServices.Main();
    }
}
