import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import partnerbooking.Partner;

final class AllServices {
    public static void main(String[] args) {
        Map<Object, Object> names = new LinkedHashMap<>();
        Partner.fromEnvironment().pages("/catalog", Map.of("limit", 10), page -> {
            // Each page contains the locations of its services. Merge the locations of all pages by id.
            for (var location : Partner.listOf(page.get("locations"))) names.put(location.get("id"), location.get("name"));
            for (var service : Partner.listOf(page.get("services")))
                System.out.println(service.get("id") + " " + service.get("name"));
        });
        System.out.println(names.values().stream().map(String::valueOf).collect(Collectors.joining(", ")));
    }
}
