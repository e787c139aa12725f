module example.com/partner-booking-api/clients/go

go 1.19
