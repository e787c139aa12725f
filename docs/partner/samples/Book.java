import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import partnerbooking.Partner;
import partnerbooking.PartnerError;

final class Book {
    public static void main(String[] args) {
        Partner partner = Partner.fromEnvironment();
        Map<String, Object> service = Partner.listOf(partner.listCatalog(Map.of("limit", 1)).get("services")).get(0);
        Object locationId = ((List<?>) service.get("location_ids")).get(0);

        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        Map<String, Object> query = Map.of(
                "service_id", service.get("id"),
                "location_id", locationId,
                "date", today.plusDays(2),
                "date_to", today.plusDays(12));
        Map<String, Object> slot = Partner.listOf(partner.listAvailability(query).get("slots")).get(0);

        // Store the idempotency key with your order before the request, so that you can repeat the write after a crash.
        String key = UUID.randomUUID().toString();
        Map<String, Object> body = Map.of(
                "service_id", service.get("id"),
                "location_id", locationId,
                "date", slot.get("date"),
                "start_time", slot.get("start_time"),
                "external_reference", "order-4716",
                "customer", Map.of("name", "Robin Sample", "phone", "+49 30 23125 234", "consent_to_contact", true));
        Map<String, Object> booking;
        try {
            booking = Partner.objectOf(partner.createBooking(body, key).get("booking"));
        } catch (PartnerError error) {
            if ("slot_taken".equals(error.reason)) System.err.println("No longer free: offer other times.");
            throw error;
        }
        System.out.println("booked " + booking.get("reference") + " " + booking.get("starts_at"));

        Map<String, Object> repeated = Partner.objectOf(partner.createBooking(body, key).get("booking"));
        System.out.println("the same booking " + repeated.get("reference").equals(booking.get("reference")));

        String reference = (String) booking.get("reference");
        Map<String, Object> change = Map.of("expected_version", booking.get("version"), "reason", "customer_request");
        Map<String, Object> cancelled = partner.cancelBooking(reference, change, UUID.randomUUID().toString());
        System.out.println(Partner.objectOf(cancelled.get("booking")).get("status"));
    }
}
