<?php
// Makes the calls in cases.json, and prints the outcome of each as a line of JSON.
declare(strict_types=1);

use PartnerBooking\Partner;
use PartnerBooking\PartnerError;

require __DIR__ . '/partner.php';

foreach (json_decode(file_get_contents('cases.json'), true) as $case) {
    $partner = new Partner($case['api'], 'pbk_test_secret', $case['seconds']);
    $write = $case['method'] === 'POST' ? [['n' => 1], "key-of-{$case['name']}"] : [null, null];
    try {
        $data = $partner->call($case['method'], '/things', $write[0], $write[1]);
        $outcome = ['status' => 200, 'code' => 'ok', 'message' => $data['word']];
    } catch (PartnerError $error) {
        $outcome = ['status' => $error->status, 'code' => $error->errorCode, 'message' => $error->getMessage()];
    }
    echo json_encode(['name' => $case['name']] + $outcome), "\n";
}
