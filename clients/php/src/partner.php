<?php
// Client of the Partner Booking API for PHP 8.1 or newer, without extensions.
declare(strict_types=1);

namespace PartnerBooking;

/**
 * A failed call. Branch on errorCode and reason; log requestId. Status 0: there was no complete response.
 * Codes of this client: unknown (a response that is not from the API), redirected, and without a complete response
 * connection_refused, name_not_found, tls_failed, or else no_response.
 * $fields contains the path and the message of each invalid field.
 */
final class PartnerError extends \RuntimeException
{
    public function __construct(
        string $message,
        public readonly int $status = 0,
        public readonly string $errorCode = 'no_response',
        public readonly ?string $reason = null,
        public readonly ?string $requestId = null,
        public readonly int $retryAfter = 0,
        public readonly array $fields = [],
    ) {
        $name = fn (array $field): string => "{$field['path']}: {$field['message']}";
        $named = implode('; ', array_map($name, $fields));
        parent::__construct("$status $errorCode: $message" . ($named === '' ? '' : " ($named)"));
    }
}

/** Calls the API with the key of one application. Every call returns the data of the response, or throws a PartnerError. */
final class Partner
{
    /** A call takes at most $maxDuration seconds, including its repetitions and waits. */
    public function __construct(
        private readonly string $baseUrl,
        #[\SensitiveParameter] private readonly string $apiKey,
        private readonly float $maxDuration = 60,
        private readonly int $maxAttempts = 6,
    ) {
    }

    /** Returns a client with the base URL and the key of the environment variables API and API_KEY. */
    public static function fromEnvironment(): self
    {
        return new self((string) getenv('API'), (string) getenv('API_KEY'));
    }

    /** Returns the URL and the options of a request. Throws if it cannot be sent, because a retry would not help. */
    private function requestOf(string $method, string $path, ?array $body, ?string $idempotencyKey): array
    {
        $url = $this->baseUrl . $path;
        if (!preg_match('~^https?://[^/?\#][!-\~]*$~D', $url)) {
            throw new \InvalidArgumentException(
                'The base URL must start with http:// or https://, and the path must be percent-encoded.'
            );
        }
        $values = ['Authorization' => 'Bearer ' . trim($this->apiKey)];
        if ($body !== null) {
            $values += ['Content-Type' => 'application/json', 'Idempotency-Key' => (string) $idempotencyKey];
        }
        // Without Connection: close, PHP would wait for the end of a connection that the server keeps open.
        $headers = ['Connection: close'];
        foreach ($values as $name => $value) {
            if (!preg_match('/^[!-~]+( [!-~]+)?$/D', $value)) {
                throw new \InvalidArgumentException("$name is empty or has characters that a header must not have.");
            }
            $headers[] = "$name: $value";
        }
        return [$url, [
            'method' => $method,
            'header' => $headers,
            'content' => $body === null ? '' : json_encode((object) $body, JSON_THROW_ON_ERROR),
            'protocol_version' => 1.1,
            'ignore_errors' => true,
            'follow_location' => 0,
        ]];
    }

    /** Sends a request once. Returns the data of a success. */
    private static function send(array $request, float $timeout): array
    {
        [$url, $options] = $request;
        $context = stream_context_create(['http' => $options + ['timeout' => $timeout]]);
        $warnings = [];
        $started = hrtime(true);
        $elapsed = fn (): float => (hrtime(true) - $started) / 1_000_000_000;
        set_error_handler(function (int $level, string $warning) use (&$warnings): bool {
            $warnings[] = $warning;
            return true;
        });
        try {
            $stream = fopen($url, 'r', false, $context);
            $text = '';
            // Without the deadline, a body that arrives byte by byte would have no time limit. For a longer text than what has
            // arrived, PHP would wait.
            while ($stream !== false && !feof($stream) && $elapsed() < $timeout) {
                $text .= fread($stream, max(1, stream_get_meta_data($stream)['unread_bytes']));
            }
            $meta = $stream === false ? [] : stream_get_meta_data($stream);
            // PHP cuts its own timeout down to whole milliseconds, so it can end shortly before this one.
            $isLate = ($meta['timed_out'] ?? false) || $elapsed() >= $timeout - 0.01;
        } finally {
            restore_error_handler();
        }
        $lines = $meta['wrapper_data'] ?? [''];
        $status = (int) (explode(' ', $lines[0])[1] ?? 0);
        if ($status === 0 || $isLate) {
            throw self::noResponse($isLate ? 'timed out' : implode(' ', $warnings));
        }
        if ($status >= 300 && $status < 400) {
            throw new PartnerError('The API never redirects: check the base URL.', $status, 'redirected');
        }
        $parsed = json_decode((string) $text, true);
        $success = $status < 300;
        // Every body of the API has a request id. Others are for example from a proxy.
        $isOurs = is_array($parsed) && preg_match('/^req_/', self::textOf($parsed['meta']['request_id'] ?? null)) === 1;
        $content = $isOurs ? $parsed[$success ? 'data' : 'error'] ?? null : null;
        $isData = $success && is_array($content) && !array_is_list($content);
        return $isData ? $content : throw self::errorOf($status, $lines, $success ? null : $content);
    }

    private static function textOf(mixed $value): string
    {
        return is_string($value) ? $value : '';
    }

    /** Returns whether a value is an error of the API. */
    private static function isError(mixed $error): bool
    {
        $fields = $error['fields'] ?? null;
        if (!is_array($fields) || !is_string($error['message'] ?? null) || !is_string($error['reason'] ?? '')) {
            return false;
        }
        foreach ($fields as $field) {
            if (!is_string($field['path'] ?? null) || !is_string($field['message'] ?? null)) {
                return false;
            }
        }
        return preg_match('/^[a-z_]+$/D', self::textOf($error['code'] ?? null)) === 1;
    }

    /** Returns the error of a request without a complete response. Its message states the cause. */
    private static function noResponse(string $warnings): PartnerError
    {
        return match (1) {
            preg_match('/timed out/i', $warnings) => new PartnerError('There was no complete response in time.'),
            preg_match('/connection refused/i', $warnings) => new PartnerError(
                'The connection was refused: check the base URL.',
                errorCode: 'connection_refused',
            ),
            preg_match('/getaddrinfo(?!.*temporary)/i', $warnings) => new PartnerError(
                'The host name was not found: check the base URL.',
                errorCode: 'name_not_found',
            ),
            preg_match('/SSL operation failed|certificate/i', $warnings) => new PartnerError(
                'The TLS connection failed: check the base URL and the certificate.',
                errorCode: 'tls_failed',
            ),
            default => new PartnerError('There was no complete response: the connection was lost.'),
        };
    }

    private static function errorOf(int $status, array $lines, mixed $error): PartnerError
    {
        $headers = [];
        foreach ($lines as $line) {
            [$name, $value] = array_pad(explode(':', $line, 2), 2, '');
            $headers[strtolower($name)] = trim($value);
        }
        // A proxy may respond with something other than an error of the API.
        $isKnown = self::isError($error);
        return new PartnerError(
            $isKnown ? $error['message'] : "The response is not from the API (status $status): check the base URL.",
            $status,
            $isKnown ? $error['code'] : 'unknown',
            $isKnown ? $error['reason'] ?? null : null,
            $headers['x-request-id'] ?? null,
            max(0, (int) ($headers['retry-after'] ?? 0)),
            $isKnown ? $error['fields'] : [],
        );
    }

    // region retry
    /** Repeats a request unchanged after a temporary failure, for at most $maxDuration seconds. */
    public function call(string $method, string $path, ?array $body = null, ?string $idempotencyKey = null): array
    {
        $request = $this->requestOf($method, $path, $body, $idempotencyKey);
        $deadline = microtime(true) + $this->maxDuration;
        for ($attempt = 1; ; $attempt++) {
            try {
                return self::send($request, max(0.1, min(15, $deadline - microtime(true))));
            } catch (PartnerError $error) {
                // After a 5xx or a body that is not from the API, the outcome of a write is uncertain.
                $uncertain = $error->status >= 500
                    || in_array($error->errorCode, ['no_response', 'connection_refused', 'unknown'], true);
                // An invalid key stays invalid: a retry would only count as another failed authentication.
                $temporary = ($uncertain || $error->status === 429) && $error->reason !== 'failed_authentication';
                $most = $error->errorCode === 'connection_refused' ? min(3, $this->maxAttempts) : $this->maxAttempts;
                $backoff = 0.5 * 2 ** ($attempt - 1);
                $wait = max($error->retryAfter, $backoff) + $backoff * random_int(0, 1000) / 1000;
                if (!$temporary || $attempt >= $most || microtime(true) + $wait >= $deadline) {
                    throw $error;
                }
                // The same request, with the same idempotency key: a write that has succeeded is replayed.
                usleep((int) ($wait * 1_000_000));
            }
        }
    }
    // endregion retry

    /** Yields the data of each page of a list. */
    public function pages(string $path, array $query = []): \Generator
    {
        // No list has more pages.
        for ($count = 0; $count < 10_000; $count++) {
            $page = $this->call('GET', $path . self::search($query));
            yield $page;
            $query['cursor'] = $page['next_cursor'];
            if ($query['cursor'] === null) {
                return;
            }
        }
    }

    /** Returns parameters as the query of a URL, or nothing. */
    private static function search(array $query): string
    {
        // In PHP, the text of true is 1.
        $words = array_map(fn (mixed $one): mixed => is_bool($one) ? var_export($one, true) : $one, $query);
        return $words === [] ? '' : '?' . http_build_query($words, '', '&', PHP_QUERY_RFC3986);
    }

    // region operations
    /** List services and locations: GET /catalog. */
    public function listCatalog(array $query = []): array
    {
        return $this->call('GET', '/catalog' . self::search($query));
    }

    /** List specialists: GET /catalog/specialists. */
    public function listSpecialists(array $query = []): array
    {
        return $this->call('GET', '/catalog/specialists' . self::search($query));
    }

    /** List free slots: GET /availability. */
    public function listAvailability(array $query = []): array
    {
        return $this->call('GET', '/availability' . self::search($query));
    }

    /** List days with free slots: GET /availability/days. */
    public function listAvailabilityDays(array $query = []): array
    {
        return $this->call('GET', '/availability/days' . self::search($query));
    }

    /** Explain free and refused starts: GET /availability/explain. */
    public function explainAvailability(array $query = []): array
    {
        return $this->call('GET', '/availability/explain' . self::search($query));
    }

    /** Create a booking: POST /bookings. */
    public function createBooking(array $body, string $idempotencyKey): array
    {
        return $this->call('POST', '/bookings', $body, $idempotencyKey);
    }

    /** List or find bookings: GET /bookings. */
    public function listBookings(array $query = []): array
    {
        return $this->call('GET', '/bookings' . self::search($query));
    }

    /** Read a booking: GET /bookings/{pbr_reference}. */
    public function readBooking(string $reference): array
    {
        return $this->call('GET', '/bookings/' . rawurlencode($reference));
    }

    /** Cancel a booking: POST /bookings/{pbr_reference}/actions/cancel. */
    public function cancelBooking(string $reference, array $body, string $idempotencyKey): array
    {
        return $this->call('POST', '/bookings/' . rawurlencode($reference) . '/actions/cancel', $body, $idempotencyKey);
    }

    /** Reschedule a booking: POST /bookings/{pbr_reference}/actions/reschedule. */
    public function rescheduleBooking(string $reference, array $body, string $idempotencyKey): array
    {
        return $this->call('POST', '/bookings/' . rawurlencode($reference) . '/actions/reschedule', $body, $idempotencyKey);
    }

    /** Send yourself a test event: POST /webhooks/test-events. */
    public function sendTestEvent(array $body, string $idempotencyKey): array
    {
        return $this->call('POST', '/webhooks/test-events', $body, $idempotencyKey);
    }

    /** Compare bookings by day: GET /bookings/digest. */
    public function digestBookings(array $query = []): array
    {
        return $this->call('GET', '/bookings/digest' . self::search($query));
    }

    /** List events: GET /events. */
    public function listEvents(array $query = []): array
    {
        return $this->call('GET', '/events' . self::search($query));
    }

    /** Read who you are: GET /me. */
    public function readMe(): array
    {
        return $this->call('GET', '/me');
    }
    // endregion operations
}
