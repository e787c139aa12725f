// JSON for the clients in Java, because the JDK has none. Objects are maps, arrays are lists, and numbers are Long or Double.
package partnerbooking;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class Json {
    /** More nested brackets are no body of the API, and would overflow the stack. */
    private static final int MAX_DEPTH = 100;

    private final String text;
    private int at = 0;

    private Json(String text) {
        this.text = text;
    }

    /** Returns the value of a JSON text. Throws an IllegalArgumentException if it is not JSON. */
    public static Object parse(String text) {
        Json json = new Json(text);
        try {
            Object value = json.value(0);
            json.space();
            if (json.at < text.length()) throw json.invalid();
            return value;
        } catch (StringIndexOutOfBoundsException end) {
            throw json.invalid();
        }
    }

    /** Returns the text of maps, lists, strings, numbers, booleans, and null. */
    public static String write(Object value) {
        if (value == null || value instanceof Boolean) return String.valueOf(value);
        if (value instanceof Number number) {
            if (Double.isNaN(number.doubleValue()) || Double.isInfinite(number.doubleValue()))
                throw new IllegalArgumentException("JSON has no such number.");
            return number.toString();
        }
        List<String> parts = new ArrayList<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, part) -> parts.add(quote(String.valueOf(name)) + ":" + write(part)));
            return "{" + String.join(",", parts) + "}";
        }
        if (value instanceof Iterable<?> list) {
            list.forEach(part -> parts.add(write(part)));
            return "[" + String.join(",", parts) + "]";
        }
        return quote(value.toString());
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') quoted.append('\\').append(c);
            else if (c < ' ') quoted.append(String.format("\\u%04x", (int) c));
            else quoted.append(c);
        }
        return quoted.append('"').toString();
    }

    private Object value(int depth) {
        if (depth > MAX_DEPTH) throw invalid();
        space();
        char c = text.charAt(at);
        if (c == '{') return object(depth);
        if (c == '[') return array(depth);
        if (c == '"') return string();
        for (var word : new Object[][] {{"true", true}, {"false", false}, {"null", null}}) {
            if (!text.startsWith((String) word[0], at)) continue;
            at += ((String) word[0]).length();
            return word[1];
        }
        return number();
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> map = new LinkedHashMap<>();
        at++;
        space();
        if (take('}')) return map;
        do {
            space();
            String name = string();
            space();
            if (!take(':')) throw invalid();
            map.put(name, value(depth + 1));
            space();
        } while (take(','));
        if (!take('}')) throw invalid();
        return map;
    }

    private List<Object> array(int depth) {
        List<Object> list = new ArrayList<>();
        at++;
        space();
        if (take(']')) return list;
        do {
            list.add(value(depth + 1));
            space();
        } while (take(','));
        if (!take(']')) throw invalid();
        return list;
    }

    private String string() {
        if (!take('"')) throw invalid();
        StringBuilder string = new StringBuilder();
        while (!take('"')) {
            char c = text.charAt(at++);
            if (c < ' ') throw invalid();
            string.append(c == '\\' ? escaped() : c);
        }
        return string.toString();
    }

    private char escaped() {
        char c = text.charAt(at++);
        if (c == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        int known = "\"\\/bfnrt".indexOf(c);
        if (known < 0) throw invalid();
        return "\"\\/\b\f\n\r\t".charAt(known);
    }

    private Object number() {
        int start = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at++;
        String number = text.substring(start, at);
        if (number.matches("-?[0-9]{1,18}")) return Long.valueOf(number);
        return Double.valueOf(number);
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private boolean take(char c) {
        if (text.charAt(at) != c) return false;
        at++;
        return true;
    }

    private IllegalArgumentException invalid() {
        return new IllegalArgumentException("Not JSON at character " + at + ".");
    }
}
