// Uses the package for Maven as a partner does. Every language prints the same lines.
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import partnerbooking.Digest;
import partnerbooking.Json;
import partnerbooking.Partner;
import partnerbooking.PartnerError;
import partnerbooking.Webhook;

final class Journey {
    static String newKey() {
        return UUID.randomUUID().toString();
    }

    static String refusal(Runnable call) {
        try {
            call.run();
            return "accepted";
        } catch (PartnerError error) {
            return (error.status + " " + error.code + " " + (error.reason == null ? "" : error.reason)).strip();
        }
    }

    static Map<String, Object> bookingOf(Map<String, Object> data) {
        return Partner.objectOf(data.get("booking"));
    }

    static Map<String, Object> bodyOf(Map<String, Object> place, Map<String, Object> slot, String reference) {
        Map<String, Object> body = new LinkedHashMap<>(place);
        body.put("date", slot.get("date"));
        body.put("start_time", slot.get("start_time"));
        body.put("external_reference", reference);
        body.put("customer", Map.of("name", "Robin Sample", "phone", "+49 30 23125 234", "consent_to_contact", true));
        return body;
    }

    @SuppressWarnings("unchecked")
    static boolean verify(Map<String, Object> vector, String body) {
        var headers = (Map<String, String>) vector.get("headers");
        return Webhook.verify((List<String>) vector.get("secrets"), headers, body.getBytes(StandardCharsets.UTF_8), (Long) vector.get("now"));
    }

    public static void main(String[] args) throws Exception {
        Partner partner = Partner.fromEnvironment();
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        Map<String, Object> dates = Map.of("from", today.plusDays(2), "to", today.plusDays(12));

        System.out.println("me " + partner.readMe().get("environment"));
        var service = Partner.listOf(partner.listCatalog(Map.of("limit", 1)).get("services")).get(0);
        Map<String, Object> place = Map.of("service_id", service.get("id"), "location_id", ((List<?>) service.get("location_ids")).get(0));
        var days = partner.listAvailabilityDays(Map.of("service_ids", service.get("id"), "date", dates.get("from"), "next", true));
        System.out.println("next " + (Partner.listOf(days.get("combinations")).get(0).get("next_slot") != null));
        Map<String, Object> query = new LinkedHashMap<>(place);
        query.put("date", dates.get("from"));
        query.put("date_to", dates.get("to"));
        var slots = Partner.listOf(partner.listAvailability(query).get("slots"));

        String key = newKey();
        var booking = bookingOf(partner.createBooking(bodyOf(place, slots.get(0), "test:429"), key));
        System.out.println("created " + booking.get("status") + " " + booking.get("version"));
        var again = bookingOf(partner.createBooking(bodyOf(place, slots.get(0), "test:429"), key));
        System.out.println("repeated " + again.get("reference").equals(booking.get("reference")));
        var lost = partner.createBooking(bodyOf(place, slots.get(1), "test:lost_response"), newKey());
        System.out.println("lost " + bookingOf(lost).get("status"));
        System.out.println("taken " + refusal(() -> partner.createBooking(bodyOf(place, slots.get(0), "order-1"), newKey())));
        String reference = (String) booking.get("reference");
        var move = Map.of("expected_version", 1, "date", slots.get(2).get("date"), "start_time", slots.get(2).get("start_time"));
        System.out.println("moved " + bookingOf(partner.rescheduleBooking(reference, move, newKey())).get("version"));
        var stale = Map.of("expected_version", 1, "reason", "customer_request");
        System.out.println("conflict " + refusal(() -> partner.cancelBooking(reference, stale, newKey())));
        var change = Map.of("expected_version", 2, "reason", "customer_request");
        System.out.println("cancelled " + bookingOf(partner.cancelBooking(reference, change, newKey())).get("version"));
        Partner moved = new Partner(System.getenv("MOVED"), System.getenv("API_KEY"), Duration.ofSeconds(10));
        System.out.println("redirect " + refusal(moved::readMe));

        var bookings = Partner.listOf(partner.listBookings(dates).get("bookings"));
        boolean same = Partner.listOf(partner.digestBookings(dates).get("days")).stream().allMatch(day -> {
            var own = bookings.stream().filter(one -> one.get("date").equals(day.get("date"))).toList();
            return Digest.ofDay(own).equals(day.get("hash"));
        });
        System.out.println("digest " + bookings.size() + " " + same);
        System.out.println("events " + Partner.listOf(partner.listEvents(Map.of("after", 0)).get("events")).size());

        var vector = Partner.listOf(Json.parse(Files.readString(Path.of(args[0])))).get(0);
        String body = (String) vector.get("body");
        System.out.println("webhook " + verify(vector, body) + " " + verify(vector, body + " "));
    }
}
