<?php
// Webhook verification for PHP 8.1 or newer, without extensions.
declare(strict_types=1);

namespace PartnerBooking;

final class Webhook
{
    /**
     * Returns whether a webhook is authentic and at most five minutes old. $body is the raw body: file_get_contents('php://input').
     * Header names are in lowercase. During a rotation, $secrets contains the old and the new secret.
     */
    public static function verify(array $secrets, array $headers, string $body, ?int $now = null): bool
    {
        [$id, $sent] = [$headers['webhook-id'] ?? '', $headers['webhook-timestamp'] ?? ''];
        if ($id === '' || !preg_match('/^[0-9]{1,12}$/D', $sent)) {
            return false;
        }
        if (abs(($now ?? time()) - (int) $sent) > 300) {
            return false;
        }
        foreach ($secrets as $secret) {
            $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
            if ($key === false || $key === '') {
                throw new \InvalidArgumentException('A webhook secret must be whsec_ followed by base64.');
            }
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sent.$body", $key, true));
            foreach (explode(' ', $headers['webhook-signature'] ?? '') as $one) {
                if (hash_equals($expected, $one)) {
                    return true;
                }
            }
        }
        return false;
    }
}
