<?php
declare(strict_types=1);

namespace PartnerBooking;

final class Digest
{
    /** Returns the hash of the bookings of one day, in any order. */
    public static function ofDay(array $bookings): string
    {
        $lines = array_map(fn (array $one): string => "{$one['reference']}:{$one['version']}\n", $bookings);
        sort($lines, SORT_STRING);
        return hash('sha256', implode('', $lines));
    }
}
