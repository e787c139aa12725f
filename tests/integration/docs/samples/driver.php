<?php
// Runs the samples in PHP: the booking, the test vectors, a call with a refused key, requests that cannot be sent, and a
// list with several pages.
declare(strict_types=1);

require __DIR__ . '/book.php';
require __DIR__ . '/webhook.php';

$vectors = json_decode(file_get_contents($argv[1]), true);
$verify = fn (array $one): bool => verifyWebhook($one['secrets'], $one['headers'], $one['body'], $one['now']);
echo 'verified ', json_encode(array_map($verify, $vectors)), "\n";

$outcome = function (array $one) use ($verify): bool|string {
    try {
        return $verify($one);
    } catch (InvalidArgumentException $error) {
        return $error->getMessage();
    }
};
echo 'forged ', json_encode(array_map($outcome, json_decode(file_get_contents('forged.json'), true))), "\n";

try {
    call('GET', '/catalog?limit=0&color=red');
} catch (PartnerError $error) {
    echo 'invalid ', implode(',', array_column($error->fields, 'path')), " {$error->getMessage()}\n";
}

$valid = getenv('API_KEY');
putenv('API_KEY=pbk_live_refused');
try {
    call('GET', '/catalog');
} catch (PartnerError $error) {
    echo "refused {$error->status} {$error->errorCode} {$error->reason}\n";
}

putenv("API_KEY=$valid\n");
$unsendable = [
    ['GET', '/a path', null, null],
    ['GET', "/caf\u{e9}", null, null],
    ['POST', '/bookings', [], null],
    ['POST', '/bookings', [], "a key\r\nof two lines"],
    ['POST', '/bookings', ['date' => NAN], 'a-key-of-one-line'],
    ['GET', '/catalog', null, null, 'httpx://127.0.0.1'],
    ['GET', '/catalog', null, null, 'http:///v1'],
];
$api = getenv('API');
$kinds = [];
foreach ($unsendable as $one) {
    putenv('API=' . ($one[4] ?? $api));
    try {
        call(...array_slice($one, 0, 4));
    } catch (InvalidArgumentException | JsonException) {
        $kinds['not sent'] = true;
    } catch (PartnerError $error) {
        $kinds[$error->getMessage()] = true;
    }
}
putenv("API=$api");
echo implode(', ', array_keys($kinds)), "\n";

foreach (pages('/catalog', ['limit' => 1]) as $page) {
    echo implode(' ', array_column($page['services'], 'id')), "\n";
}
require __DIR__ . '/all_services.php';
