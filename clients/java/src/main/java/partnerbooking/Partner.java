// Client of the Partner Booking API for Java 17 or newer, standard library only. Needs PartnerError.java and Json.java.
package partnerbooking;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;

/** Calls the API with the key of one application. Every call returns the data of the response, or throws a PartnerError. */
public final class Partner {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    /** Follows no redirect: it could turn a write into a read, and send the key to another host. */
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).followRedirects(HttpClient.Redirect.NEVER).build();

    private final String baseUrl;
    private final String apiKey;
    private final Duration maxDuration;

    /** A call takes at most maxDuration, including its repetitions and waits. */
    public Partner(String baseUrl, String apiKey, Duration maxDuration) {
        this.baseUrl = baseUrl;
        this.apiKey = apiKey.strip();
        this.maxDuration = maxDuration;
    }

    /** Returns a client with the base URL and the key of the environment variables API and API_KEY. */
    public static Partner fromEnvironment() {
        Map<String, String> environment = System.getenv();
        return new Partner(environment.getOrDefault("API", ""), environment.getOrDefault("API_KEY", ""), Duration.ofSeconds(60));
    }

    /** Returns a request. Throws an IllegalArgumentException if it cannot be sent, because a retry would not help. */
    private HttpRequest requestOf(String method, String path, Object body, String idempotencyKey) {
        String url = baseUrl + path;
        if (!url.matches("https?://[^/?#][!-~]*"))
            throw new IllegalArgumentException("The base URL must start with http:// or https://, and the path must be percent-encoded.");
        if (!apiKey.matches("[!-~]+"))
            throw new IllegalArgumentException("The key is empty or has characters that a header must not have.");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).header("Authorization", "Bearer " + apiKey);
        if (body == null) return request.method(method, HttpRequest.BodyPublishers.noBody()).build();
        if (idempotencyKey == null || !idempotencyKey.matches("[!-~]+"))
            throw new IllegalArgumentException("A write needs an idempotency key of printable ASCII characters.");
        return request.header("Content-Type", "application/json")
                .header("Idempotency-Key", idempotencyKey)
                .method(method, HttpRequest.BodyPublishers.ofString(Json.write(body)))
                .build();
    }

    /** Sends a request once. Returns the data of a success. The timeout includes the body. */
    private static Map<String, Object> send(HttpRequest request, Duration timeout) {
        CompletableFuture<HttpResponse<String>> sent = HTTP.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        HttpResponse<String> response;
        try {
            response = sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            sent.cancel(true);
            throw new PartnerError("There was no complete response in time.", 0, "no_response");
        } catch (ExecutionException failed) {
            throw noResponse(failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new PartnerError("The call was interrupted.", 0, "no_response");
        }
        int status = response.statusCode();
        if (status >= 300 && status < 400) throw new PartnerError("The API never redirects: check the base URL.", status, "redirected");
        Map<String, Object> body = bodyOf(response.body());
        Object data = body.get("data");
        if (status < 300 && data instanceof Map<?, ?>) return objectOf(data);
        throw errorOf(response, status < 300 ? Map.of() : objectOf(body.get("error")));
    }

    /** Returns a body of the API, or an empty map for one that is for example from a proxy. Every body has a request id. */
    private static Map<String, Object> bodyOf(String text) {
        try {
            Map<String, Object> body = objectOf(Json.parse(text));
            return String.valueOf(objectOf(body.get("meta")).get("request_id")).startsWith("req_") ? body : Map.of();
        } catch (IllegalArgumentException notJson) {
            return Map.of();
        }
    }

    /** Returns an object of a response, or an empty map if the value is not an object. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> objectOf(Object value) {
        return value instanceof Map<?, ?> ? (Map<String, Object>) value : Map.of();
    }

    /** Returns a list of objects of a response, or an empty list if the value is not a list. */
    @SuppressWarnings("unchecked")
    public static List<Map<String, Object>> listOf(Object value) {
        return value instanceof List<?> ? (List<Map<String, Object>>) value : List.of();
    }

    /** Returns the error of a request without a complete response. Its message states the cause. */
    private static PartnerError noResponse(Throwable failed) {
        if (failed instanceof ConnectException && failed.getCause() != null
                && failed.getCause().getCause() instanceof UnresolvedAddressException
                || failed.getCause() instanceof UnresolvedAddressException)
            return new PartnerError("The host name was not found: check the base URL.", 0, "name_not_found");
        if (failed instanceof ConnectException)
            return new PartnerError("The connection was refused: check the base URL.", 0, "connection_refused");
        // A connection that was closed is no failure of TLS: it can heal.
        if (failed instanceof SSLException && !(failed.getCause() instanceof EOFException))
            return new PartnerError("The TLS connection failed: check the base URL and the certificate.", 0, "tls_failed");
        if (!(failed instanceof IOException)) throw new IllegalStateException(failed);
        return new PartnerError("There was no complete response: " + failed.getMessage() + ".", 0, "no_response");
    }

    private static PartnerError errorOf(HttpResponse<String> response, Map<String, Object> error) {
        int status = response.statusCode();
        String requestId = response.headers().firstValue("X-Request-Id").orElse(null);
        // The API sends seconds. A date from a proxy counts as no value.
        String after = response.headers().firstValue("Retry-After").orElse("0");
        long retryAfter = after.matches("[0-9]{1,6}") ? Long.parseLong(after) : after.matches("[0-9]+") ? 1_000_000 : 0;
        Object code = error.get("code"), reason = error.get("reason");
        boolean ours = code instanceof String word && word.matches("[a-z_]+") && error.get("message") instanceof String
                && (reason == null || reason instanceof String) && error.get("fields") instanceof List<?> fields
                && fields.stream().map(Partner::objectOf).allMatch(one -> one.get("path") instanceof String && one.get("message") instanceof String);
        if (!ours) {
            String unknown = "The response is not from the API (status " + status + "): check the base URL.";
            return new PartnerError(unknown, status, "unknown", null, requestId, retryAfter, List.of());
        }
        String message = (String) error.get("message");
        return new PartnerError(message, status, (String) code, (String) reason, requestId, retryAfter, listOf(error.get("fields")));
    }

    public Map<String, Object> get(String path) {
        return call("GET", path, null, null);
    }

    public Map<String, Object> post(String path, Map<String, ?> body, String idempotencyKey) {
        return call("POST", path, body, idempotencyKey);
    }

    // region retry
    /** Repeats a request unchanged after a temporary failure, for a bounded time. */
    public Map<String, Object> call(String method, String path, Object body, String idempotencyKey) {
        HttpRequest request = requestOf(method, path, body, idempotencyKey);
        long deadline = System.nanoTime() + maxDuration.toNanos();
        for (int attempt = 1; ; attempt++) {
            try {
                long left = Math.max(100, (deadline - System.nanoTime()) / 1_000_000);
                return send(request, Duration.ofMillis(Math.min(TIMEOUT.toMillis(), left)));
            } catch (PartnerError error) {
                // After a 5xx or a body that is not from the API, the outcome of a write is uncertain.
                boolean uncertain = error.status >= 500 || List.of("no_response", "connection_refused", "unknown").contains(error.code);
                // An invalid key stays invalid: a retry would only count as another failed authentication.
                boolean temporary = (uncertain || error.status == 429) && !"failed_authentication".equals(error.reason);
                int most = error.code.equals("connection_refused") ? 3 : 6;
                long backoff = 500L << (attempt - 1);
                long wait = Math.max(error.retryAfter * 1000, backoff) + ThreadLocalRandom.current().nextLong(backoff);
                if (!temporary || attempt >= most || System.nanoTime() + wait * 1_000_000 >= deadline) throw error;
                // The same request, with the same idempotency key: a write that has succeeded is replayed.
                pause(wait);
            }
        }
    }
    // endregion retry

    private static void pause(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new PartnerError("The call was interrupted.", 0, "no_response");
        }
    }

    /** Returns parameters as the query of a URL. */
    public static String query(Map<String, ?> parameters) {
        return parameters.entrySet().stream()
                .map(one -> one.getKey() + "=" + encoded(String.valueOf(one.getValue())))
                .collect(Collectors.joining("&"));
    }

    /** Calls page with the data of each page of a list. */
    public void pages(String path, Map<String, ?> parameters, Consumer<Map<String, Object>> page) {
        Map<String, Object> query = new LinkedHashMap<>(parameters);
        // No list has more pages.
        for (int count = 0; count < 10_000; count++) {
            Map<String, Object> data = get(path + "?" + query(query));
            page.accept(data);
            if (data.get("next_cursor") == null) return;
            query.put("cursor", data.get("next_cursor"));
        }
    }

    private static String search(Map<String, ?> query) {
        return query.isEmpty() ? "" : "?" + query(query);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    // region operations
    /** List services and locations: GET /catalog. */
    public Map<String, Object> listCatalog(Map<String, ?> query) {
        return call("GET", "/catalog" + search(query), null, null);
    }

    /** List specialists: GET /catalog/specialists. */
    public Map<String, Object> listSpecialists(Map<String, ?> query) {
        return call("GET", "/catalog/specialists" + search(query), null, null);
    }

    /** List free slots: GET /availability. */
    public Map<String, Object> listAvailability(Map<String, ?> query) {
        return call("GET", "/availability" + search(query), null, null);
    }

    /** List days with free slots: GET /availability/days. */
    public Map<String, Object> listAvailabilityDays(Map<String, ?> query) {
        return call("GET", "/availability/days" + search(query), null, null);
    }

    /** Explain free and refused starts: GET /availability/explain. */
    public Map<String, Object> explainAvailability(Map<String, ?> query) {
        return call("GET", "/availability/explain" + search(query), null, null);
    }

    /** Create a booking: POST /bookings. */
    public Map<String, Object> createBooking(Map<String, ?> body, String idempotencyKey) {
        return call("POST", "/bookings", body, idempotencyKey);
    }

    /** List or find bookings: GET /bookings. */
    public Map<String, Object> listBookings(Map<String, ?> query) {
        return call("GET", "/bookings" + search(query), null, null);
    }

    /** Read a booking: GET /bookings/{pbr_reference}. */
    public Map<String, Object> readBooking(String reference) {
        return call("GET", "/bookings/" + encoded(reference), null, null);
    }

    /** Cancel a booking: POST /bookings/{pbr_reference}/actions/cancel. */
    public Map<String, Object> cancelBooking(String reference, Map<String, ?> body, String idempotencyKey) {
        return call("POST", "/bookings/" + encoded(reference) + "/actions/cancel", body, idempotencyKey);
    }

    /** Reschedule a booking: POST /bookings/{pbr_reference}/actions/reschedule. */
    public Map<String, Object> rescheduleBooking(String reference, Map<String, ?> body, String idempotencyKey) {
        return call("POST", "/bookings/" + encoded(reference) + "/actions/reschedule", body, idempotencyKey);
    }

    /** Send yourself a test event: POST /webhooks/test-events. */
    public Map<String, Object> sendTestEvent(Map<String, ?> body, String idempotencyKey) {
        return call("POST", "/webhooks/test-events", body, idempotencyKey);
    }

    /** Compare bookings by day: GET /bookings/digest. */
    public Map<String, Object> digestBookings(Map<String, ?> query) {
        return call("GET", "/bookings/digest" + search(query), null, null);
    }

    /** List events: GET /events. */
    public Map<String, Object> listEvents(Map<String, ?> query) {
        return call("GET", "/events" + search(query), null, null);
    }

    /** Read who you are: GET /me. */
    public Map<String, Object> readMe() {
        return call("GET", "/me", null, null);
    }
    // endregion operations
}
