<?php
declare(strict_types=1);

use PartnerBooking\Partner;
use PartnerBooking\PartnerError;

require_once __DIR__ . '/partner.php';

$partner = Partner::fromEnvironment();
$service = $partner->listCatalog(['limit' => 1])['services'][0];
$locationId = $service['location_ids'][0];

$query = [
    'service_id' => $service['id'],
    'location_id' => $locationId,
    'date' => gmdate('Y-m-d', time() + 2 * 86400),
    'date_to' => gmdate('Y-m-d', time() + 12 * 86400),
];
$slot = $partner->listAvailability($query)['slots'][0];

// Store the idempotency key with your order before the request, so that you can repeat the write after a crash.
$key = bin2hex(random_bytes(16));
$body = [
    'service_id' => $service['id'],
    'location_id' => $locationId,
    'date' => $slot['date'],
    'start_time' => $slot['start_time'],
    'external_reference' => 'order-4714',
    'customer' => ['name' => 'Robin Sample', 'phone' => '+49 30 23125 234', 'consent_to_contact' => true],
];
try {
    $booking = $partner->createBooking($body, $key)['booking'];
} catch (PartnerError $error) {
    if ($error->reason === 'slot_taken') {
        echo "No longer free: offer other times.\n";
    }
    throw $error;
}
echo "booked {$booking['reference']} {$booking['starts_at']}\n";

$repeated = $partner->createBooking($body, $key)['booking'];
echo 'the same booking ', var_export($repeated['reference'] === $booking['reference'], true), "\n";

$change = ['expected_version' => $booking['version'], 'reason' => 'customer_request'];
$cancelled = $partner->cancelBooking($booking['reference'], $change, bin2hex(random_bytes(16)));
echo $cancelled['booking']['status'], "\n";
