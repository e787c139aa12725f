using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using PartnerBooking;

static class AllServices
{
    internal static void Main()
    {
        Run().GetAwaiter().GetResult();
    }

    static async Task Run()
    {
        var names = new Dictionary<object, object>();
        await Partner.FromEnvironment().PagesAsync("/catalog", new Dictionary<string, object> { ["limit"] = 10 }, page =>
        {
            // Each page contains the locations of its services. Merge the locations of all pages by id.
            foreach (var location in Partner.ListOf(page, "locations")) names[location["id"]] = location["name"];
            foreach (var service in Partner.ListOf(page, "services")) Console.WriteLine(service["id"] + " " + service["name"]);
        });
        Console.WriteLine(string.Join(", ", names.Values));
    }
}
