// Uses the package for NuGet as a partner does. Every language prints the same lines.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using PartnerBooking;
using Fields = System.Collections.Generic.Dictionary<string, object>;

static class Journey
{
    static string NewKey()
    {
        return Guid.NewGuid().ToString();
    }

    static async Task<string> Refusal(Task call)
    {
        try
        {
            await call;
            return "accepted";
        }
        catch (PartnerError error)
        {
            return (error.Status + " " + error.Code + " " + error.Reason).Trim();
        }
    }

    static Fields BodyOf(Fields place, Fields slot, string reference)
    {
        return new Fields(place)
        {
            ["date"] = slot["date"],
            ["start_time"] = slot["start_time"],
            ["external_reference"] = reference,
            ["customer"] = new Fields { ["name"] = "Robin Sample", ["phone"] = "+49 30 23125 234", ["consent_to_contact"] = true }
        };
    }

    static bool Verify(Fields vector, string body)
    {
        var headers = Partner.ObjectOf(vector, "headers").ToDictionary(one => one.Key, one => (string)one.Value);
        return Webhook.Verify(((List<object>)vector["secrets"]).Cast<string>(), headers, Encoding.UTF8.GetBytes(body), (long)vector["now"]);
    }

    static string Shown(bool value)
    {
        return value ? "true" : "false";
    }

    static void Main(string[] args)
    {
        Run(args[0]).GetAwaiter().GetResult();
    }

    static async Task Run(string vectors)
    {
        Partner partner = Partner.FromEnvironment();
        Func<int, string> day = ahead => DateTime.UtcNow.AddDays(ahead).ToString("yyyy-MM-dd");
        var dates = new Fields { ["from"] = day(2), ["to"] = day(12) };

        Console.WriteLine("me " + (await partner.ReadMeAsync())["environment"]);
        var service = Partner.ListOf(await partner.ListCatalogAsync(new Fields { ["limit"] = 1 }), "services")[0];
        var place = new Fields { ["service_id"] = service["id"], ["location_id"] = ((List<object>)service["location_ids"])[0] };
        var asked = new Fields { ["service_ids"] = service["id"], ["date"] = dates["from"], ["next"] = true };
        var next = Partner.ListOf(await partner.ListAvailabilityDaysAsync(asked), "combinations")[0];
        Console.WriteLine("next " + Shown(next["next_slot"] != null));
        var query = new Fields(place) { ["date"] = dates["from"], ["date_to"] = dates["to"] };
        var slots = Partner.ListOf(await partner.ListAvailabilityAsync(query), "slots");

        string key = NewKey();
        var booking = Partner.ObjectOf(await partner.CreateBookingAsync(BodyOf(place, slots[0], "test:429"), key), "booking");
        Console.WriteLine("created " + booking["status"] + " " + booking["version"]);
        var again = Partner.ObjectOf(await partner.CreateBookingAsync(BodyOf(place, slots[0], "test:429"), key), "booking");
        Console.WriteLine("repeated " + Shown(again["reference"].Equals(booking["reference"])));
        var lost = await partner.CreateBookingAsync(BodyOf(place, slots[1], "test:lost_response"), NewKey());
        Console.WriteLine("lost " + Partner.ObjectOf(lost, "booking")["status"]);
        Console.WriteLine("taken " + await Refusal(partner.CreateBookingAsync(BodyOf(place, slots[0], "order-1"), NewKey())));
        string reference = (string)booking["reference"];
        var move = new Fields { ["expected_version"] = 1, ["date"] = slots[2]["date"], ["start_time"] = slots[2]["start_time"] };
        var moved = await partner.RescheduleBookingAsync(reference, move, NewKey());
        Console.WriteLine("moved " + Partner.ObjectOf(moved, "booking")["version"]);
        var change = new Fields { ["expected_version"] = 1, ["reason"] = "customer_request" };
        Console.WriteLine("conflict " + await Refusal(partner.CancelBookingAsync(reference, change, NewKey())));
        change["expected_version"] = 2;
        var cancelled = await partner.CancelBookingAsync(reference, change, NewKey());
        Console.WriteLine("cancelled " + Partner.ObjectOf(cancelled, "booking")["version"]);
        string elsewhere = Environment.GetEnvironmentVariable("MOVED"), secret = Environment.GetEnvironmentVariable("API_KEY");
        Console.WriteLine("redirect " + await Refusal(new Partner(elsewhere, secret, TimeSpan.FromSeconds(10)).ReadMeAsync()));

        var bookings = Partner.ListOf(await partner.ListBookingsAsync(dates), "bookings");
        var days = Partner.ListOf(await partner.DigestBookingsAsync(dates), "days");
        bool same = days.All(one => Digest.OfDay(bookings.Where(kept => kept["date"].Equals(one["date"]))).Equals(one["hash"]));
        Console.WriteLine("digest " + bookings.Count + " " + Shown(same));
        Console.WriteLine("events " + Partner.ListOf(await partner.ListEventsAsync(new Fields { ["after"] = 0 }), "events").Count);

        var vector = Partner.ObjectOf(((List<object>)Json.Parse(File.ReadAllText(vectors)))[0]);
        string body = (string)vector["body"];
        Console.WriteLine("webhook " + Shown(Verify(vector, body)) + " " + Shown(Verify(vector, body + " ")));
    }
}
