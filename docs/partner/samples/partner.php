<?php
// Client of the Partner Booking API for PHP 8.1 or newer, without extensions.
declare(strict_types=1);

/**
 * A failed call. Branch on errorCode and reason; log requestId. Status 0: there was no complete response.
 * Codes of this client: unknown (a response that is not from the API), redirected, and without a complete response
 * connection_refused, name_not_found, tls_failed, or else no_response.
 * $fields contains the path and the message of each invalid field.
 */
final class PartnerError extends RuntimeException
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

/** Returns the URL and the options of a request. Throws if it cannot be sent, because a retry would not help. */
function requestOf(string $method, string $path, ?array $body, ?string $idempotencyKey): array
{
    $url = getenv('API') . $path;
    if (!preg_match('~^https?://[^/?\#][!-\~]*$~D', $url)) {
        throw new InvalidArgumentException(
            'API must start with http:// or https://, and the path must be percent-encoded.'
        );
    }
    $values = ['Authorization' => 'Bearer ' . trim((string) getenv('API_KEY'))];
    if ($body !== null) {
        $values += ['Content-Type' => 'application/json', 'Idempotency-Key' => (string) $idempotencyKey];
    }
    // Without Connection: close, PHP would wait for the end of a connection that the server keeps open.
    $headers = ['Connection: close'];
    foreach ($values as $name => $value) {
        if (!preg_match('/^[!-~]+( [!-~]+)?$/D', $value)) {
            throw new InvalidArgumentException("$name is empty or has characters that a header must not have.");
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
function send(array $request, float $timeout): array
{
    [$url, $options] = $request;
    $context = stream_context_create(['http' => $options + ['timeout' => $timeout]]);
    $warnings = [];
    $started = microtime(true);
    set_error_handler(function (int $level, string $warning) use (&$warnings): bool {
        $warnings[] = $warning;
        return true;
    });
    try {
        $stream = fopen($url, 'r', false, $context);
        $text = '';
        // Without the deadline, a body that arrives byte by byte would have no time limit. For a longer text than what has
        // arrived, PHP would wait.
        while ($stream !== false && !feof($stream) && microtime(true) - $started < $timeout) {
            $text .= fread($stream, max(1, stream_get_meta_data($stream)['unread_bytes']));
        }
        $meta = $stream === false ? [] : stream_get_meta_data($stream);
        $isLate = microtime(true) - $started >= $timeout;
    } finally {
        restore_error_handler();
    }
    $lines = $meta['wrapper_data'] ?? [''];
    $status = (int) (explode(' ', $lines[0])[1] ?? 0);
    if ($status === 0 || $meta['timed_out'] || $isLate) {
        throw noResponse($isLate ? 'timed out' : implode(' ', $warnings));
    }
    if ($status >= 300 && $status < 400) {
        throw new PartnerError('The API never redirects: check the base URL.', $status, 'redirected');
    }
    $parsed = json_decode((string) $text, true);
    $success = $status < 300;
    // Every body of the API has a request id. Others are for example from a proxy.
    $isOurs = is_array($parsed) && preg_match('/^req_/', textOf($parsed['meta']['request_id'] ?? null)) === 1;
    $content = $isOurs ? $parsed[$success ? 'data' : 'error'] ?? null : null;
    $isData = $success && is_array($content) && !array_is_list($content);
    return $isData ? $content : throw errorOf($status, $lines, $success ? null : $content);
}

function textOf(mixed $value): string
{
    return is_string($value) ? $value : '';
}

/** Returns whether a value is an error of the API. */
function isError(mixed $error): bool
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
    return preg_match('/^[a-z_]+$/D', textOf($error['code'] ?? null)) === 1;
}

/** Returns the error of a request without a complete response. Its message states the cause. */
function noResponse(string $warnings): PartnerError
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

function errorOf(int $status, array $lines, mixed $error): PartnerError
{
    $headers = [];
    foreach ($lines as $line) {
        [$name, $value] = array_pad(explode(':', $line, 2), 2, '');
        $headers[strtolower($name)] = trim($value);
    }
    // A proxy may respond with something other than an error of the API.
    $isKnown = isError($error);
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
function call(
    string $method,
    string $path,
    ?array $body = null,
    ?string $idempotencyKey = null,
    float $maxDuration = 60,
    int $maxAttempts = 6,
): array {
    $request = requestOf($method, $path, $body, $idempotencyKey);
    $deadline = microtime(true) + $maxDuration;
    for ($attempt = 1; ; $attempt++) {
        try {
            return send($request, max(0.1, min(15, $deadline - microtime(true))));
        } catch (PartnerError $error) {
            // After a 5xx or a body that is not from the API, the outcome of a write is uncertain.
            $uncertain = $error->status >= 500
                || in_array($error->errorCode, ['no_response', 'connection_refused', 'unknown'], true);
            // An invalid key stays invalid: a retry would only count as another failed authentication.
            $temporary = ($uncertain || $error->status === 429) && $error->reason !== 'failed_authentication';
            $most = $error->errorCode === 'connection_refused' ? min(3, $maxAttempts) : $maxAttempts;
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
function pages(string $path, array $query = []): Generator
{
    // No list has more pages.
    for ($count = 0; $count < 10_000; $count++) {
        $page = call('GET', $path . '?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986));
        yield $page;
        $query['cursor'] = $page['next_cursor'];
        if ($query['cursor'] === null) {
            return;
        }
    }
}
