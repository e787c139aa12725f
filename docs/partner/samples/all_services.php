<?php
declare(strict_types=1);

require_once __DIR__ . '/partner.php';

$names = [];
foreach (pages('/catalog', ['limit' => 10]) as $page) {
    // Each page contains the locations of its services. Merge the locations of all pages by id.
    foreach ($page['locations'] as $location) {
        $names[$location['id']] = $location['name'];
    }
    foreach ($page['services'] as $service) {
        echo "{$service['id']} {$service['name']}\n";
    }
}
echo implode(', ', $names), "\n";
