<?php
declare(strict_types=1);

use PartnerBooking\Partner;

require_once __DIR__ . '/partner.php';

$names = [];
foreach (Partner::fromEnvironment()->pages('/catalog', ['limit' => 10]) as $page) {
    // Each page contains the locations of its services. Merge the locations of all pages by id.
    foreach ($page['locations'] as $location) {
        $names[$location['id']] = $location['name'];
    }
    foreach ($page['services'] as $service) {
        echo "{$service['id']} {$service['name']}\n";
    }
}
echo implode(', ', $names), "\n";
