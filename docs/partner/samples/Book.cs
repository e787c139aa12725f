using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using PartnerBooking;

static class Book
{
    internal static void Main()
    {
        Run().GetAwaiter().GetResult();
    }

    static async Task Run()
    {
        Partner partner = Partner.FromEnvironment();
        var catalog = await partner.ListCatalogAsync(new Dictionary<string, object> { ["limit"] = 1 });
        var service = Partner.ListOf(catalog, "services")[0];
        object locationId = ((List<object>)service["location_ids"])[0];

        DateTime today = DateTime.UtcNow.Date;
        var query = new Dictionary<string, object>
        {
            ["service_id"] = service["id"],
            ["location_id"] = locationId,
            ["date"] = today.AddDays(2).ToString("yyyy-MM-dd"),
            ["date_to"] = today.AddDays(12).ToString("yyyy-MM-dd")
        };
        var slot = Partner.ListOf(await partner.ListAvailabilityAsync(query), "slots")[0];

        // Store the idempotency key with your order before the request, so that you can repeat the write after a crash.
        string key = Guid.NewGuid().ToString();
        var body = new Dictionary<string, object>
        {
            ["service_id"] = service["id"],
            ["location_id"] = locationId,
            ["date"] = slot["date"],
            ["start_time"] = slot["start_time"],
            ["external_reference"] = "order-4717",
            ["customer"] = new Dictionary<string, object>
            {
                ["name"] = "Robin Sample",
                ["phone"] = "+49 30 23125 234",
                ["consent_to_contact"] = true
            }
        };
        Dictionary<string, object> booking;
        try
        {
            booking = Partner.ObjectOf(await partner.CreateBookingAsync(body, key), "booking");
        }
        catch (PartnerError error)
        {
            if (error.Reason == "slot_taken") Console.Error.WriteLine("No longer free: offer other times.");
            throw;
        }
        Console.WriteLine("booked " + booking["reference"] + " " + booking["starts_at"]);

        var repeated = Partner.ObjectOf(await partner.CreateBookingAsync(body, key), "booking");
        Console.WriteLine("the same booking " + repeated["reference"].Equals(booking["reference"]));

        var change = new Dictionary<string, object> { ["expected_version"] = booking["version"], ["reason"] = "customer_request" };
        var cancelled = await partner.CancelBookingAsync((string)booking["reference"], change, Guid.NewGuid().ToString());
        Console.WriteLine(Partner.ObjectOf(cancelled, "booking")["status"]);
    }
}
