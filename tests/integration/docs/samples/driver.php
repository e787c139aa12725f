<?php
// Runs the samples in PHP: the booking, the test vectors, a call with a refused key, requests that cannot be sent, and a
// list with several pages.
declare(strict_types=1);

use PartnerBooking\Partner;
use PartnerBooking\PartnerError;
use PartnerBooking\Webhook;

require __DIR__ . '/book.php';
require __DIR__ . '/webhook.php';

$vectors = json_decode(file_get_contents($argv[1]), true);
$verify = fn (array $one): bool => Webhook::verify($one['secrets'], $one['headers'], $one['body'], $one['now']);
echo 'verified ', json_encode(array_map($verify, $vectors)), "\n";

$outcome = function (array $one) use ($verify): bool|string {
    try {
        return $verify($one);
    } catch (InvalidArgumentException $error) {
        return $error->getMessage();
    }
};
echo 'forged ', json_encode(array_map($outcome, json_decode(file_get_contents('forged.json'), true))), "\n";

$partner = Partner::fromEnvironment();
try {
    $partner->listCatalog(['limit' => 0, 'color' => 'red']);
} catch (PartnerError $error) {
    echo 'invalid ', implode(',', array_column($error->fields, 'path')), " {$error->getMessage()}\n";
}

[$api, $valid] = [getenv('API'), getenv('API_KEY')];
try {
    (new Partner($api, 'pbk_live_refused'))->listCatalog();
} catch (PartnerError $error) {
    echo "refused {$error->status} {$error->errorCode} {$error->reason}\n";
}

$unsendable = [
    ['GET', '/a path', null, null],
    ['GET', "/caf\u{e9}", null, null],
    ['POST', '/bookings', [], null],
    ['POST', '/bookings', [], "a key\r\nof two lines"],
    ['POST', '/bookings', ['date' => NAN], 'a-key-of-one-line'],
    ['GET', '/catalog', null, null, 'httpx://127.0.0.1'],
    ['GET', '/catalog', null, null, 'http:///v1'],
];
$kinds = [];
foreach ($unsendable as $one) {
    try {
        (new Partner($one[4] ?? $api, "$valid\n"))->call(...array_slice($one, 0, 4));
    } catch (InvalidArgumentException | JsonException) {
        $kinds['not sent'] = true;
    } catch (PartnerError $error) {
        $kinds[$error->getMessage()] = true;
    }
}
echo implode(', ', array_keys($kinds)), "\n";

foreach ($partner->pages('/catalog', ['limit' => 1]) as $page) {
    echo implode(' ', array_column($page['services'], 'id')), "\n";
}
require __DIR__ . '/all_services.php';
