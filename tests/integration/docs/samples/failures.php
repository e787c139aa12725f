<?php
// Makes the calls in cases.json, and prints the outcome of each as a line of JSON.
declare(strict_types=1);

require __DIR__ . '/partner.php';

putenv('API_KEY=pbk_test_secret');
foreach (json_decode(file_get_contents('cases.json'), true) as $case) {
    putenv("API={$case['api']}");
    $write = $case['method'] === 'POST' ? [['n' => 1], "key-of-{$case['name']}"] : [null, null];
    try {
        $data = call($case['method'], '/things', $write[0], $write[1], $case['seconds']);
        $outcome = ['status' => 200, 'code' => 'ok', 'message' => $data['word']];
    } catch (PartnerError $error) {
        $outcome = ['status' => $error->status, 'code' => $error->errorCode, 'message' => $error->getMessage()];
    }
    echo json_encode(['name' => $case['name']] + $outcome), "\n";
}
