<?php
// Uses the package for Composer as a partner does. Every language prints the same lines.
declare(strict_types=1);

use PartnerBooking\Digest;
use PartnerBooking\Partner;
use PartnerBooking\PartnerError;
use PartnerBooking\Webhook;

require __DIR__ . '/vendor/autoload.php';

$partner = Partner::fromEnvironment();
$dates = ['from' => gmdate('Y-m-d', time() + 2 * 86400), 'to' => gmdate('Y-m-d', time() + 12 * 86400)];
$newKey = fn (): string => bin2hex(random_bytes(16));
$shown = fn (bool $value): string => $value ? 'true' : 'false';

function refusal(callable $call): string
{
    try {
        $call();
        return 'accepted';
    } catch (PartnerError $error) {
        return rtrim("{$error->status} {$error->errorCode} {$error->reason}");
    }
}

echo 'me ', $partner->readMe()['environment'], "\n";
$service = $partner->listCatalog(['limit' => 1])['services'][0];
$place = ['service_id' => $service['id'], 'location_id' => $service['location_ids'][0]];
$days = $partner->listAvailabilityDays(['service_ids' => $service['id'], 'date' => $dates['from'], 'next' => true]);
echo 'next ', $shown($days['combinations'][0]['next_slot'] !== null), "\n";
$slots = $partner->listAvailability($place + ['date' => $dates['from'], 'date_to' => $dates['to']])['slots'];
$bodyOf = fn (array $slot, string $reference): array => $place + [
    'date' => $slot['date'],
    'start_time' => $slot['start_time'],
    'external_reference' => $reference,
    'customer' => ['name' => 'Robin Sample', 'phone' => '+49 30 23125 234', 'consent_to_contact' => true],
];

$key = $newKey();
$booking = $partner->createBooking($bodyOf($slots[0], 'test:429'), $key)['booking'];
echo "created {$booking['status']} {$booking['version']}\n";
$again = $partner->createBooking($bodyOf($slots[0], 'test:429'), $key)['booking'];
echo 'repeated ', $shown($again['reference'] === $booking['reference']), "\n";
echo 'lost ', $partner->createBooking($bodyOf($slots[1], 'test:lost_response'), $newKey())['booking']['status'], "\n";
echo 'taken ', refusal(fn () => $partner->createBooking($bodyOf($slots[0], 'order-1'), $newKey())), "\n";
$move = ['expected_version' => 1, 'date' => $slots[2]['date'], 'start_time' => $slots[2]['start_time']];
echo 'moved ', $partner->rescheduleBooking($booking['reference'], $move, $newKey())['booking']['version'], "\n";
$change = fn (int $version): array => ['expected_version' => $version, 'reason' => 'customer_request'];
echo 'conflict ', refusal(fn () => $partner->cancelBooking($booking['reference'], $change(1), $newKey())), "\n";
echo 'cancelled ', $partner->cancelBooking($booking['reference'], $change(2), $newKey())['booking']['version'], "\n";
echo 'redirect ', refusal(fn () => (new Partner(getenv('MOVED'), getenv('API_KEY')))->readMe()), "\n";

$bookings = $partner->listBookings($dates)['bookings'];
$same = true;
foreach ($partner->digestBookings($dates)['days'] as $day) {
    $own = array_filter($bookings, fn (array $one): bool => $one['date'] === $day['date']);
    $same = $same && Digest::ofDay($own) === $day['hash'];
}
echo 'digest ', count($bookings), ' ', $shown($same), "\n";
echo 'events ', count($partner->listEvents(['after' => 0])['events']), "\n";

$vector = json_decode(file_get_contents($argv[1]), true)[0];
$verify = fn (string $body): bool => Webhook::verify($vector['secrets'], $vector['headers'], $body, $vector['now']);
echo 'webhook ', $shown($verify($vector['body'])), ' ', $shown($verify($vector['body'] . ' ')), "\n";
