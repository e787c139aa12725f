// JSON for the client in C#, because .NET Standard 2.0 has none. Objects are dictionaries, arrays are lists, and numbers are
// long or double.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace PartnerBooking
{
    public sealed class Json
    {
        // More nested brackets are no body of the API, and would overflow the stack.
        private const int MaxDepth = 100;

        private readonly string text;
        private int at;

        private Json(string text)
        {
            this.text = text;
        }

        /// <summary>Returns the value of a JSON text. Throws a FormatException if it is not JSON.</summary>
        public static object Parse(string text)
        {
            var json = new Json(text);
            object value = json.Value(0);
            json.Space();
            if (json.at < text.Length) throw json.Invalid();
            return value;
        }

        /// <summary>Returns the text of dictionaries, lists, strings, numbers, booleans, and null.</summary>
        public static string Write(object value)
        {
            if (value == null) return "null";
            if (value is bool) return (bool)value ? "true" : "false";
            if (value is string) return Quote((string)value);
            if (value is double || value is float)
            {
                double number = Convert.ToDouble(value, CultureInfo.InvariantCulture);
                if (double.IsNaN(number) || double.IsInfinity(number)) throw new ArgumentException("JSON has no such number.");
                return number.ToString("R", CultureInfo.InvariantCulture);
            }
            if (value is int || value is long || value is decimal) return Convert.ToString(value, CultureInfo.InvariantCulture);
            if (value is IDictionary)
            {
                var parts = new List<string>();
                foreach (DictionaryEntry one in (IDictionary)value) parts.Add(Quote(one.Key.ToString()) + ":" + Write(one.Value));
                return "{" + string.Join(",", parts) + "}";
            }
            if (value is IEnumerable) return "[" + string.Join(",", ((IEnumerable)value).Cast<object>().Select(Write)) + "]";
            throw new ArgumentException("JSON has no value of the type " + value.GetType().Name + ".");
        }

        private static string Quote(string text)
        {
            var quoted = new StringBuilder("\"");
            foreach (char c in text)
            {
                if (c == '"' || c == '\\') quoted.Append('\\').Append(c);
                else if (c < ' ') quoted.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
                else quoted.Append(c);
            }
            return quoted.Append('"').ToString();
        }

        private object Value(int depth)
        {
            if (depth > MaxDepth) throw Invalid();
            Space();
            char c = Peek();
            if (c == '{') return Object(depth);
            if (c == '[') return Array(depth);
            if (c == '"') return String();
            if (Word("true")) return true;
            if (Word("false")) return false;
            if (Word("null")) return null;
            return Number();
        }

        private Dictionary<string, object> Object(int depth)
        {
            var map = new Dictionary<string, object>();
            at++;
            Space();
            if (Take('}')) return map;
            do
            {
                Space();
                string name = String();
                Space();
                if (!Take(':')) throw Invalid();
                map[name] = Value(depth + 1);
                Space();
            } while (Take(','));
            if (!Take('}')) throw Invalid();
            return map;
        }

        private List<object> Array(int depth)
        {
            var list = new List<object>();
            at++;
            Space();
            if (Take(']')) return list;
            do
            {
                list.Add(Value(depth + 1));
                Space();
            } while (Take(','));
            if (!Take(']')) throw Invalid();
            return list;
        }

        private string String()
        {
            if (!Take('"')) throw Invalid();
            var found = new StringBuilder();
            while (!Take('"'))
            {
                char c = Next();
                if (c < ' ') throw Invalid();
                found.Append(c == '\\' ? Escaped() : c);
            }
            return found.ToString();
        }

        private char Escaped()
        {
            char c = Next();
            if (c == 'u')
            {
                ushort code;
                if (at + 4 > text.Length) throw Invalid();
                if (!ushort.TryParse(text.Substring(at, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out code)) throw Invalid();
                at += 4;
                return (char)code;
            }
            int known = "\"\\/bfnrt".IndexOf(c);
            if (known < 0) throw Invalid();
            return "\"\\/\b\f\n\r\t"[known];
        }

        private object Number()
        {
            int start = at;
            while (at < text.Length && "+-.0123456789eE".IndexOf(text[at]) >= 0) at++;
            string number = text.Substring(start, at - start);
            long whole;
            if (long.TryParse(number, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out whole)) return whole;
            double broken;
            if (double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out broken)) return broken;
            throw Invalid();
        }

        private char Peek()
        {
            if (at >= text.Length) throw Invalid();
            return text[at];
        }

        private char Next()
        {
            char c = Peek();
            at++;
            return c;
        }

        private bool Word(string word)
        {
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) return false;
            at += word.Length;
            return true;
        }

        private void Space()
        {
            while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) at++;
        }

        private bool Take(char c)
        {
            if (Peek() != c) return false;
            at++;
            return true;
        }

        private FormatException Invalid()
        {
            return new FormatException("Not JSON at character " + at + ".");
        }
    }
}
