package partnerbooking;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A failed call. Branch on code and reason; log requestId. Status 0: there was no complete response. Codes of this client:
 * unknown (a response that is not from the API), redirected, and without a complete response connection_refused,
 * name_not_found, tls_failed, or else no_response. fields contains the path and the message of each invalid field.
 */
public final class PartnerError extends RuntimeException {
    public final int status;
    public final String code;
    public final String reason;
    public final String requestId;
    public final long retryAfter;
    public final transient List<Map<String, Object>> fields;

    PartnerError(
            String message, int status, String code, String reason, String requestId, long retryAfter, List<Map<String, Object>> fields) {
        super(status + " " + code + ": " + message + named(fields));
        this.status = status;
        this.code = code;
        this.reason = reason;
        this.requestId = requestId;
        this.retryAfter = retryAfter;
        this.fields = List.copyOf(fields);
    }

    /** There was no response of the API. */
    PartnerError(String message, int status, String code) {
        this(message, status, code, null, null, 0, List.of());
    }

    private static String named(List<Map<String, Object>> fields) {
        if (fields.isEmpty()) return "";
        return fields.stream()
                .map(field -> field.get("path") + ": " + field.get("message"))
                .collect(Collectors.joining("; ", " (", ")"));
    }
}
