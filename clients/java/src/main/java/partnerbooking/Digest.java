package partnerbooking;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

public final class Digest {
    /** Returns the hash of the bookings of one day, in any order. Each has a reference and a version. */
    public static String ofDay(List<? extends Map<String, ?>> bookings) {
        String lines = bookings.stream()
                .map(one -> one.get("reference") + ":" + one.get("version") + "\n")
                .sorted()
                .collect(Collectors.joining());
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(lines.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
