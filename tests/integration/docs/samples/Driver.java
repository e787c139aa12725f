// Runs the samples in Java: the booking, the test vectors, a call with a refused key, requests that cannot be sent, and a
// list with several pages.
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import partnerbooking.Json;
import partnerbooking.Partner;
import partnerbooking.PartnerError;
import partnerbooking.Webhook;

final class Driver {
    @SuppressWarnings("unchecked")
    static boolean verify(Map<String, Object> one) {
        byte[] body = ((String) one.get("body")).getBytes(StandardCharsets.UTF_8);
        return Webhook.verify((List<String>) one.get("secrets"), (Map<String, String>) one.get("headers"), body, (Long) one.get("now"));
    }

    static Object outcome(Map<String, Object> one) {
        try {
            return verify(one);
        } catch (IllegalArgumentException error) {
            return error.getMessage();
        }
    }

    static String results(String file, Function<Map<String, Object>, Object> result) throws IOException {
        return Json.write(Partner.listOf(Json.parse(Files.readString(Path.of(file)))).stream().map(result).toList());
    }

    static String failure(Runnable call) {
        try {
            call.run();
            return "sent";
        } catch (PartnerError error) {
            return error.getMessage();
        } catch (IllegalArgumentException error) {
            return "not sent";
        }
    }

    public static void main(String[] args) throws IOException {
        Book.main(args);
        System.out.println("verified " + results(args[0], Driver::verify));
        System.out.println("forged " + results("forged.json", Driver::outcome));

        Partner partner = Partner.fromEnvironment();
        try {
            partner.get("/catalog?limit=0&color=red");
        } catch (PartnerError error) {
            String paths = error.fields.stream().map(field -> (String) field.get("path")).collect(Collectors.joining(","));
            System.out.println("invalid " + paths + " " + error.getMessage());
        }
        String api = System.getenv("API"), key = System.getenv("API_KEY");
        Duration time = Duration.ofSeconds(60);
        try {
            new Partner(api, "pbk_live_refused", time).get("/catalog");
        } catch (PartnerError error) {
            System.out.println("refused " + error.status + " " + error.code + " " + error.reason);
        }

        Partner spaced = new Partner(api, key + "\n", time);
        Set<String> kinds = new LinkedHashSet<>();
        kinds.add(failure(() -> spaced.get("/a path")));
        kinds.add(failure(() -> spaced.get("/caf\u00e9")));
        kinds.add(failure(() -> spaced.post("/bookings", Map.of(), null)));
        kinds.add(failure(() -> spaced.post("/bookings", Map.of(), "a key\r\nof two lines")));
        kinds.add(failure(() -> spaced.post("/bookings", Map.of("date", Double.NaN), "a-key-of-one-line")));
        kinds.add(failure(() -> new Partner("httpx://127.0.0.1", key, time).get("/catalog")));
        kinds.add(failure(() -> new Partner("http:///v1", key, time).get("/catalog")));
        System.out.println(String.join(", ", kinds));

        partner.pages("/catalog", Map.of("limit", 1), page -> {
            for (var service : Partner.listOf(page.get("services"))) System.out.println(service.get("id"));
        });
        AllServices.main(args);
    }
}
