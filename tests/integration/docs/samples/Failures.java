// Makes the calls in cases.json, and prints the outcome of each as a line of JSON.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import partnerbooking.Json;
import partnerbooking.Partner;
import partnerbooking.PartnerError;

final class Failures {
    public static void main(String[] args) throws IOException {
        for (var one : Partner.listOf(Json.parse(Files.readString(Path.of("cases.json"))))) {
            Partner partner = new Partner((String) one.get("api"), "pbk_test_secret", Duration.ofSeconds((Long) one.get("seconds")));
            Map<String, Object> body = one.get("method").equals("POST") ? Map.of("n", 1) : null;
            Map<String, Object> outcome;
            try {
                Object word = partner.call((String) one.get("method"), "/things", body, "key-of-" + one.get("name")).get("word");
                outcome = Map.of("name", one.get("name"), "status", 200, "code", "ok", "message", word);
            } catch (PartnerError error) {
                outcome = Map.of("name", one.get("name"), "status", error.status, "code", error.code, "message", error.getMessage());
            }
            System.out.println(Json.write(outcome));
        }
    }
}
