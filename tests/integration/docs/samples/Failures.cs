// Makes the calls in cases.json, and prints the outcome of each as a line of JSON.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using PartnerBooking;

static class Failures
{
    static void Main()
    {
        foreach (var one in ((List<object>)Json.Parse(File.ReadAllText("cases.json"))).Select(Partner.ObjectOf))
        {
            var partner = new Partner((string)one["api"], "pbk_test_secret", TimeSpan.FromSeconds((long)one["seconds"]));
            object body = one["method"].Equals("POST") ? new Dictionary<string, object> { ["n"] = 1 } : null;
            var outcome = new Dictionary<string, object> { ["name"] = one["name"], ["status"] = 200, ["code"] = "ok" };
            try
            {
                outcome["message"] = partner.CallAsync((string)one["method"], "/things", body, "key-of-" + one["name"]).GetAwaiter().GetResult()["word"];
            }
            catch (PartnerError error)
            {
                outcome["status"] = error.Status;
                outcome["code"] = error.Code;
                outcome["message"] = error.Message;
            }
            Console.WriteLine(Json.Write(outcome));
        }
    }
}
