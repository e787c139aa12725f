// Webhook verification for Java 17 or newer, standard library only.
package partnerbooking;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Webhook {
    /**
     * Returns whether a webhook is authentic and at most five minutes old. body is the raw body. Header names are in lowercase.
     * During a rotation, secrets contains the old and the new secret. An empty or malformed secret throws an
     * IllegalArgumentException. now is in Unix seconds.
     */
    public static boolean verify(List<String> secrets, Map<String, String> headers, byte[] body, long now) {
        String id = headers.getOrDefault("webhook-id", ""), sent = headers.getOrDefault("webhook-timestamp", "");
        if (id.isEmpty() || !sent.matches("[0-9]{1,12}")) return false;
        if (Math.abs(now - Long.parseLong(sent)) > 300) return false;
        boolean valid = false;
        for (String secret : secrets) {
            byte[] expected = ("v1," + Base64.getEncoder().encodeToString(sign(keyOf(secret), id + "." + sent + ".", body)))
                    .getBytes(StandardCharsets.UTF_8);
            for (String one : headers.getOrDefault("webhook-signature", "").split(" "))
                valid |= MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), expected);
        }
        return valid;
    }

    private static byte[] keyOf(String secret) {
        byte[] key;
        try {
            key = Base64.getDecoder().decode(secret.startsWith("whsec_") ? secret.substring(6) : secret);
        } catch (IllegalArgumentException notBase64) {
            key = new byte[0];
        }
        // Everyone can sign with an empty key.
        if (key.length == 0) throw new IllegalArgumentException("A webhook secret must be whsec_ followed by base64.");
        return key;
    }

    private static byte[] sign(byte[] key, String head, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(head.getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(body);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
