<?php
// Client of the Partner Booking API for PHP 8.1 or newer, without extensions.
declare(strict_types=1);

/** A failed call. Branch on errorCode and reason; log requestId. Status 0: there was no complete response. */
final class PartnerError extends RuntimeException
{
    public function __construct(
        string $message,
        public readonly int $status = 0,
        public readonly string $errorCode = 'no_response',
        public readonly ?string $reason = null,
        public readonly ?string $requestId = null,
        public readonly int $retryAfter = 0,
    ) {
        parent::__construct("$status $errorCode: $message");
    }
}

/** Sends a request once. Returns the data of a success. */
function send(string $method, string $path, ?array $body, ?string $idempotencyKey, float $timeout): array
{
    // Without Connection: close, PHP would wait for the end of a connection that the server keeps open.
    $headers = ['Authorization: Bearer ' . getenv('API_KEY'), 'Connection: close'];
    if ($body !== null) {
        $headers[] = 'Content-Type: application/json';
        $headers[] = "Idempotency-Key: $idempotencyKey";
    }
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => $headers,
        'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR),
        'timeout' => $timeout,
        'protocol_version' => 1.1,
        'ignore_errors' => true,
        'follow_location' => 0,
    ]]);
    $stream = @fopen(getenv('API') . $path, 'r', false, $context);
    $text = $stream === false ? false : stream_get_contents($stream);
    $meta = $stream === false ? [] : stream_get_meta_data($stream);
    $parsed = is_string($text) ? json_decode($text, true) : null;
    $lines = $meta['wrapper_data'] ?? [''];
    $status = (int) (explode(' ', $lines[0])[1] ?? 0);
    $success = $status >= 200 && $status < 300;
    if ($status === 0 || $meta['timed_out'] || ($success && !isset($parsed['data']))) {
        throw new PartnerError('There was no complete response.');
    }
    return $success ? $parsed['data'] : throw errorOf($status, $lines, $parsed['error'] ?? []);
}

function errorOf(int $status, array $lines, array $error): PartnerError
{
    $headers = [];
    foreach ($lines as $line) {
        [$name, $value] = array_pad(explode(':', $line, 2), 2, '');
        $headers[strtolower($name)] = trim($value);
    }
    return new PartnerError(
        $error['message'] ?? 'An unexpected response.',
        $status,
        $error['code'] ?? 'unknown',
        $error['reason'] ?? null,
        $headers['x-request-id'] ?? null,
        (int) ($headers['retry-after'] ?? 0),
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
    $deadline = microtime(true) + $maxDuration;
    for ($attempt = 1; ; $attempt++) {
        try {
            return send($method, $path, $body, $idempotencyKey, max(0.1, min(15, $deadline - microtime(true))));
        } catch (PartnerError $error) {
            // An invalid key stays invalid: a retry would only count as a further failed authentication.
            $temporary = in_array($error->status, [0, 429, 502, 503, 504], true)
                && $error->reason !== 'failed_authentication';
            $backoff = 0.5 * 2 ** ($attempt - 1);
            $wait = max($error->retryAfter, $backoff) * (1 + random_int(0, 500) / 1000);
            if (!$temporary || $attempt >= $maxAttempts || microtime(true) + $wait >= $deadline) {
                throw $error;
            }
            // The same request, with the same idempotency key: a write that has succeeded is replayed.
            usleep((int) ($wait * 1_000_000));
        }
    }
}
// endregion retry
