<?php
// Runs the samples in PHP: the booking, the test vectors, and a call with a refused key.
declare(strict_types=1);

require __DIR__ . '/book.php';
require __DIR__ . '/webhook.php';

$vectors = json_decode(file_get_contents($argv[1]), true);
$verify = fn (array $one): bool => verifyWebhook($one['secrets'], $one['headers'], $one['body'], $one['now']);
echo 'verified ', json_encode(array_map($verify, $vectors)), "\n";

putenv('API_KEY=pbk_live_refused');
try {
    call('GET', '/catalog');
} catch (PartnerError $error) {
    echo "refused {$error->status} {$error->errorCode} {$error->reason}\n";
}
