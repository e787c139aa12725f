// Recorded by tests/contract/examples.test.ts. Renew: EXAMPLES=1 npm test -- contract tests/contract/examples.test.ts
export const RECORDED = {
  "operations": {
    "listCatalog": {
      "response": {
        "data": {
          "services": [
            {
              "id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
              "name": "Haircut",
              "description": "Wash, cut and finish.",
              "category": "Hair",
              "duration_minutes": 45,
              "slot_interval_minutes": 15,
              "price": {
                "amount": 4900,
                "currency": "EUR"
              },
              "capacity": 1,
              "min_lead_minutes": 60,
              "max_advance_days": 60,
              "cancellation_cutoff_minutes": 1440,
              "location_ids": [
                "loc_01jd8x4t5wf3rbq0zk6m7n8p9r"
              ]
            }
          ],
          "locations": [
            {
              "id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
              "name": "Studio Mitte",
              "address": {
                "line1": "1 Example Street",
                "city": "Berlin",
                "postal_code": "10115",
                "country": "DE"
              },
              "time_zone": "Europe/Berlin",
              "phone": null
            }
          ],
          "next_cursor": null
        },
        "meta": {
          "request_id": "req_01jd8x4t5wf3rbq0zk6m7n8p9v",
          "version": "v1"
        }
      }
    },
    "listSpecialists": {
      "response": {
        "data": {
          "specialists": [
            {
              "id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s",
              "display_name": "Alex Example",
              "title": "Senior stylist",
              "description": null,
              "image_url": null,
              "service_ids": [
                "svc_01jd8x4t5wf3rbq0zk6m7n8p9q"
              ],
              "location_ids": [
                "loc_01jd8x4t5wf3rbq0zk6m7n8p9r"
              ]
            }
          ],
          "next_cursor": null
        },
        "meta": {
          "request_id": "req_01jd8x4t5wf3rbq0zk6m7n8p9v",
          "version": "v1"
        }
      }
    },
    "listAvailability": {
      "response": {
        "data": {
          "slots": [
            {
              "date": "2026-09-14",
              "start_time": "09:30",
              "end_time": "10:15",
              "starts_at": "2026-09-14T09:30:00+02:00",
              "ends_at": "2026-09-14T10:15:00+02:00",
              "time_zone": "Europe/Berlin",
              "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
              "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
              "available_capacity": 1,
              "specialist_ids": [
                "spc_01jd8x4t5wf3rbq0zk6m7n8p9s"
              ]
            },
            {
              "date": "2026-09-14",
              "start_time": "09:45",
              "end_time": "10:30",
              "starts_at": "2026-09-14T09:45:00+02:00",
              "ends_at": "2026-09-14T10:30:00+02:00",
              "time_zone": "Europe/Berlin",
              "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
              "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
              "available_capacity": 1,
              "specialist_ids": [
                "spc_01jd8x4t5wf3rbq0zk6m7n8p9s"
              ]
            }
          ],
          "next_cursor": null
        },
        "meta": {
          "request_id": "req_01jd8x4t5wf3rbq0zk6m7n8p9v",
          "version": "v1"
        }
      }
    },
    "listAvailabilityDays": {
      "response": {
        "data": {
          "combinations": [
            {
              "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
              "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
              "time_zone": "Europe/Berlin",
              "days": [
                {
                  "date": "2026-09-14",
                  "available": true,
                  "first_slot": {
                    "date": "2026-09-14",
                    "start_time": "09:30",
                    "end_time": "10:15",
                    "starts_at": "2026-09-14T09:30:00+02:00",
                    "ends_at": "2026-09-14T10:15:00+02:00",
                    "time_zone": "Europe/Berlin",
                    "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
                    "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
                    "available_capacity": 1,
                    "specialist_ids": [
                      "spc_01jd8x4t5wf3rbq0zk6m7n8p9s"
                    ]
                  }
                },
                {
                  "date": "2026-09-15",
                  "available": true,
                  "first_slot": {
                    "date": "2026-09-15",
                    "start_time": "09:30",
                    "end_time": "10:15",
                    "starts_at": "2026-09-15T09:30:00+02:00",
                    "ends_at": "2026-09-15T10:15:00+02:00",
                    "time_zone": "Europe/Berlin",
                    "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
                    "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
                    "available_capacity": 1,
                    "specialist_ids": [
                      "spc_01jd8x4t5wf3rbq0zk6m7n8p9s"
                    ]
                  }
                },
                {
                  "date": "2026-09-16",
                  "available": false,
                  "first_slot": null
                }
              ],
              "next_slot": null,
              "searched_to": "2026-09-16",
              "complete": true
            }
          ]
        },
        "meta": {
          "request_id": "req_01jd8x4t5wf3rbq0zk6m7n8p9v",
          "version": "v1"
        }
      }
    },
    "explainAvailability": {
      "response": {
        "data": {
          "starts": [
            {
              "start_time": "09:30",
              "starts_at": "2026-09-14T09:30:00+02:00",
              "reason": null,
              "specialists": [
                {
                  "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s",
                  "reason": null
                }
              ]
            },
            {
              "start_time": "09:45",
              "starts_at": "2026-09-14T09:45:00+02:00",
              "reason": null,
              "specialists": [
                {
                  "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s",
                  "reason": null
                }
              ]
            },
            {
              "start_time": "10:00",
              "starts_at": "2026-09-14T10:00:00+02:00",
              "reason": "outside_schedule",
              "specialists": [
                {
                  "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s",
                  "reason": "outside_schedule"
                }
              ]
            }
          ],
          "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
          "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
          "date": "2026-09-14",
          "time_zone": "Europe/Berlin",
          "bookable_from": "2026-09-01T09:00:00.000Z",
          "bookable_until": "2026-10-31T08:00:00.000Z",
          "next_cursor": "c4Fh2kQv8mXw0pTz1bYs3gAXN2Y18wMWpkOHg0dDV3"
        },
        "meta": {
          "request_id": "req_01jd8x4t5wf3rbq0zk6m7n8p9v",
          "version": "v1"
        }
      }
    },
    "createBooking": {
      "request": {
        "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
        "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
        "date": "2026-09-14",
        "start_time": "09:30",
        "external_reference": "order-4711",
        "customer": {
          "name": "Robin Sample",
          "phone": "+49 30 23125 234",
          "consent_to_contact": true
        }
      },
      "response": {
        "data": {
          "booking": {
            "reference": "pbr_7h2k9m4n8q1r5t3v6w0x2y4z8a",
            "version": 1,
            "status": "confirmed",
            "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
            "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
            "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s",
            "date": "2026-09-14",
            "start_time": "09:30",
            "end_time": "10:15",
            "starts_at": "2026-09-14T09:30:00+02:00",
            "ends_at": "2026-09-14T10:15:00+02:00",
            "time_zone": "Europe/Berlin",
            "external_reference": "order-4711",
            "price": {
              "amount": 4900,
              "currency": "EUR"
            },
            "customer": {
              "name": "Robin Sample",
              "phone_masked": "+49*******234",
              "email_masked": null,
              "locale": null
            },
            "cancellable": true,
            "reschedulable": true,
            "change_deadline": "2026-09-13T07:30:00.000Z",
            "cancelled_at": null,
            "cancelled_by": null,
            "created_at": "2026-09-01T08:00:00.000Z",
            "updated_at": "2026-09-01T08:00:00.000Z",
            "note_characters": null,
            "metadata": null
          }
        },
        "meta": {
          "request_id": "req_01jd8x4t5wf3rbq0zk6m7n8p9v",
          "version": "v1"
        }
      }
    },
    "listBookings": {
      "response": {
        "data": {
          "bookings": [
            {
              "reference": "pbr_7h2k9m4n8q1r5t3v6w0x2y4z8a",
              "version": 1,
              "status": "confirmed",
              "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
              "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
              "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s",
              "date": "2026-09-14",
              "start_time": "09:30",
              "end_time": "10:15",
              "starts_at": "2026-09-14T09:30:00+02:00",
              "ends_at": "2026-09-14T10:15:00+02:00",
              "time_zone": "Europe/Berlin",
              "external_reference": "order-4711",
              "price": {
                "amount": 4900,
                "currency": "EUR"
              },
              "customer": {
                "name": "Robin Sample",
                "phone_masked": "+49*******234"
              },
              "cancellable": true,
              "reschedulable": true,
              "change_deadline": "2026-09-13T07:30:00.000Z",
              "cancelled_at": null,
              "cancelled_by": null,
              "created_at": "2026-09-01T08:00:00.000Z",
              "updated_at": "2026-09-01T08:00:00.000Z"
            }
          ],
          "next_cursor": null
        },
        "meta": {
          "request_id": "req_01jd8x4t5wf3rbq0zk6m7n8p9v",
          "version": "v1"
        }
      }
    },
    "readBooking": {
      "response": {
        "data": {
          "booking": {
            "reference": "pbr_7h2k9m4n8q1r5t3v6w0x2y4z8a",
            "version": 1,
            "status": "confirmed",
            "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
            "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
            "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s",
            "date": "2026-09-14",
            "start_time": "09:30",
            "end_time": "10:15",
            "starts_at": "2026-09-14T09:30:00+02:00",
            "ends_at": "2026-09-14T10:15:00+02:00",
            "time_zone": "Europe/Berlin",
            "external_reference": "order-4711",
            "price": {
              "amount": 4900,
              "currency": "EUR"
            },
            "customer": {
              "name": "Robin Sample",
              "phone_masked": "+49*******234",
              "email_masked": null,
              "locale": null
            },
            "cancellable": true,
            "reschedulable": true,
            "change_deadline": "2026-09-13T07:30:00.000Z",
            "cancelled_at": null,
            "cancelled_by": null,
            "created_at": "2026-09-01T08:00:00.000Z",
            "updated_at": "2026-09-01T08:00:00.000Z",
            "note_characters": null,
            "metadata": null
          }
        },
        "meta": {
          "request_id": "req_01jd8x4t5wf3rbq0zk6m7n8p9v",
          "version": "v1"
        }
      }
    },
    "cancelBooking": {
      "request": {
        "expected_version": 2,
        "reason": "customer_request"
      },
      "response": {
        "data": {
          "booking": {
            "reference": "pbr_7h2k9m4n8q1r5t3v6w0x2y4z8a",
            "version": 3,
            "status": "cancelled",
            "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
            "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
            "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s",
            "date": "2026-09-15",
            "start_time": "11:00",
            "end_time": "11:45",
            "starts_at": "2026-09-15T11:00:00+02:00",
            "ends_at": "2026-09-15T11:45:00+02:00",
            "time_zone": "Europe/Berlin",
            "external_reference": "order-4711",
            "price": {
              "amount": 4900,
              "currency": "EUR"
            },
            "customer": {
              "name": "Robin Sample",
              "phone_masked": "+49*******234",
              "email_masked": null,
              "locale": null
            },
            "cancellable": false,
            "reschedulable": false,
            "change_deadline": null,
            "cancelled_at": "2026-09-03T10:00:00.000Z",
            "cancelled_by": "partner",
            "created_at": "2026-09-01T08:00:00.000Z",
            "updated_at": "2026-09-03T10:00:00.000Z",
            "note_characters": null,
            "metadata": null
          }
        },
        "meta": {
          "request_id": "req_01jd8x4t5wf3rbq0zk6m7n8p9v",
          "version": "v1"
        }
      }
    },
    "rescheduleBooking": {
      "request": {
        "expected_version": 1,
        "date": "2026-09-15",
        "start_time": "11:00"
      },
      "response": {
        "data": {
          "booking": {
            "reference": "pbr_7h2k9m4n8q1r5t3v6w0x2y4z8a",
            "version": 2,
            "status": "confirmed",
            "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
            "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
            "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s",
            "date": "2026-09-15",
            "start_time": "11:00",
            "end_time": "11:45",
            "starts_at": "2026-09-15T11:00:00+02:00",
            "ends_at": "2026-09-15T11:45:00+02:00",
            "time_zone": "Europe/Berlin",
            "external_reference": "order-4711",
            "price": {
              "amount": 4900,
              "currency": "EUR"
            },
            "customer": {
              "name": "Robin Sample",
              "phone_masked": "+49*******234",
              "email_masked": null,
              "locale": null
            },
            "cancellable": true,
            "reschedulable": true,
            "change_deadline": "2026-09-14T09:00:00.000Z",
            "cancelled_at": null,
            "cancelled_by": null,
            "created_at": "2026-09-01T08:00:00.000Z",
            "updated_at": "2026-09-02T10:00:00.000Z",
            "note_characters": null,
            "metadata": null
          }
        },
        "meta": {
          "request_id": "req_01jd8x4t5wf3rbq0zk6m7n8p9v",
          "version": "v1"
        }
      }
    },
    "sendTestEvent": {
      "request": {},
      "response": {
        "data": {
          "event": {
            "id": "evt_01jd8x4t5wf3rbq0zk6m7n8p9t",
            "type": "webhook.test",
            "timestamp": "2026-09-03T10:00:00.000Z"
          }
        },
        "meta": {
          "request_id": "req_01jd8x4t5wf3rbq0zk6m7n8p9v",
          "version": "v1"
        }
      }
    },
    "readMe": {
      "response": {
        "data": {
          "application": {
            "id": "app_01jd8x4t5wf3rbq0zk6m7n8p9w",
            "name": "Partner"
          },
          "business": {
            "name": "Tenant",
            "languages": [
              "en",
              "de"
            ],
            "default_language": "en"
          },
          "environment": "TEST",
          "api_version": "v1",
          "scopes": [
            "availability.read",
            "booking.create",
            "booking.manage",
            "catalog.read",
            "webhooks.manage"
          ],
          "all_locations": true,
          "location_ids": [
            "loc_01jd8x4t5wf3rbq0zk6m7n8p9r"
          ],
          "quota": {
            "requests": 600,
            "seconds": 60
          },
          "key": {
            "name": "Key",
            "last_four": "x7Qd",
            "expires_at": null
          }
        },
        "meta": {
          "request_id": "req_01jd8x4t5wf3rbq0zk6m7n8p9v",
          "version": "v1"
        }
      }
    }
  },
  "events": {
    "booking.created": {
      "id": "evt_01jd8x4t5wf3rbq0zk6m7n8p9t",
      "type": "booking.created",
      "timestamp": "2026-09-01T08:00:00.000Z",
      "api_version": "v1",
      "environment": "TEST",
      "data": {
        "booking": {
          "reference": "pbr_7h2k9m4n8q1r5t3v6w0x2y4z8a",
          "external_reference": "order-4711",
          "version": 1,
          "status": "confirmed",
          "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
          "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
          "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s",
          "date": "2026-09-14",
          "start_time": "09:30",
          "end_time": "10:15",
          "starts_at": "2026-09-14T09:30:00+02:00",
          "ends_at": "2026-09-14T10:15:00+02:00",
          "time_zone": "Europe/Berlin"
        },
        "previous": null,
        "actor": "partner"
      }
    },
    "booking.rescheduled": {
      "id": "evt_01jd8x4t5wf3rbq0zk6m7n8p9v",
      "type": "booking.rescheduled",
      "timestamp": "2026-09-02T10:00:00.000Z",
      "api_version": "v1",
      "environment": "TEST",
      "data": {
        "booking": {
          "reference": "pbr_7h2k9m4n8q1r5t3v6w0x2y4z8a",
          "external_reference": "order-4711",
          "version": 2,
          "status": "confirmed",
          "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
          "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
          "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s",
          "date": "2026-09-15",
          "start_time": "11:00",
          "end_time": "11:45",
          "starts_at": "2026-09-15T11:00:00+02:00",
          "ends_at": "2026-09-15T11:45:00+02:00",
          "time_zone": "Europe/Berlin"
        },
        "previous": {
          "date": "2026-09-14",
          "start_time": "09:30",
          "starts_at": "2026-09-14T09:30:00+02:00",
          "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s"
        },
        "actor": "partner"
      }
    },
    "booking.updated": {
      "id": "evt_01jd8x4t5wf3rbq0zk6m7n8p90",
      "type": "booking.updated",
      "timestamp": "2026-09-03T10:00:00.000Z",
      "api_version": "v1",
      "environment": "TEST",
      "data": {
        "booking": {
          "reference": "pbr_7h2k9m4n8q1r5t3v6w0x2y4z8a",
          "external_reference": "order-4711",
          "version": 3,
          "status": "confirmed",
          "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
          "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
          "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s",
          "date": "2026-09-15",
          "start_time": "11:00",
          "end_time": "11:45",
          "starts_at": "2026-09-15T11:00:00+02:00",
          "ends_at": "2026-09-15T11:45:00+02:00",
          "time_zone": "Europe/Berlin"
        },
        "previous": {
          "date": "2026-09-15",
          "start_time": "11:00",
          "starts_at": "2026-09-15T11:00:00+01:00",
          "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s"
        },
        "actor": "system",
        "cause": "time_zone_rules"
      }
    },
    "booking.cancelled": {
      "id": "evt_01jd8x4t5wf3rbq0zk6m7n8p9w",
      "type": "booking.cancelled",
      "timestamp": "2026-09-03T10:00:00.000Z",
      "api_version": "v1",
      "environment": "TEST",
      "data": {
        "booking": {
          "reference": "pbr_7h2k9m4n8q1r5t3v6w0x2y4z8a",
          "external_reference": "order-4711",
          "version": 3,
          "status": "cancelled",
          "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
          "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
          "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s",
          "date": "2026-09-15",
          "start_time": "11:00",
          "end_time": "11:45",
          "starts_at": "2026-09-15T11:00:00+02:00",
          "ends_at": "2026-09-15T11:45:00+02:00",
          "time_zone": "Europe/Berlin"
        },
        "previous": null,
        "actor": "partner"
      }
    },
    "booking.completed": {
      "id": "evt_01jd8x4t5wf3rbq0zk6m7n8p9x",
      "type": "booking.completed",
      "timestamp": "2026-09-15T09:50:00.000Z",
      "api_version": "v1",
      "environment": "TEST",
      "data": {
        "booking": {
          "reference": "pbr_7h2k9m4n8q1r5t3v6w0x2y4z8a",
          "external_reference": "order-4711",
          "version": 3,
          "status": "completed",
          "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
          "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
          "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s",
          "date": "2026-09-15",
          "start_time": "11:00",
          "end_time": "11:45",
          "starts_at": "2026-09-15T11:00:00+02:00",
          "ends_at": "2026-09-15T11:45:00+02:00",
          "time_zone": "Europe/Berlin"
        },
        "previous": null,
        "actor": "owner"
      }
    },
    "booking.no_show": {
      "id": "evt_01jd8x4t5wf3rbq0zk6m7n8p9y",
      "type": "booking.no_show",
      "timestamp": "2026-09-15T09:20:00.000Z",
      "api_version": "v1",
      "environment": "TEST",
      "data": {
        "booking": {
          "reference": "pbr_7h2k9m4n8q1r5t3v6w0x2y4z8a",
          "external_reference": "order-4711",
          "version": 3,
          "status": "no_show",
          "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
          "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
          "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s",
          "date": "2026-09-15",
          "start_time": "11:00",
          "end_time": "11:45",
          "starts_at": "2026-09-15T11:00:00+02:00",
          "ends_at": "2026-09-15T11:45:00+02:00",
          "time_zone": "Europe/Berlin"
        },
        "previous": null,
        "actor": "owner"
      }
    },
    "booking.upcoming": {
      "id": "evt_01jd8x4t5wf3rbq0zk6m7n8p91",
      "type": "booking.upcoming",
      "timestamp": "2026-09-14T09:00:00.000Z",
      "api_version": "v1",
      "environment": "TEST",
      "data": {
        "booking": {
          "reference": "pbr_7h2k9m4n8q1r5t3v6w0x2y4z8a",
          "external_reference": "order-4711",
          "version": 2,
          "status": "confirmed",
          "service_id": "svc_01jd8x4t5wf3rbq0zk6m7n8p9q",
          "location_id": "loc_01jd8x4t5wf3rbq0zk6m7n8p9r",
          "specialist_id": "spc_01jd8x4t5wf3rbq0zk6m7n8p9s",
          "date": "2026-09-15",
          "start_time": "11:00",
          "end_time": "11:45",
          "starts_at": "2026-09-15T11:00:00+02:00",
          "ends_at": "2026-09-15T11:45:00+02:00",
          "time_zone": "Europe/Berlin"
        },
        "previous": null,
        "actor": "system",
        "hours_before": 24
      }
    },
    "webhook.test": {
      "id": "evt_01jd8x4t5wf3rbq0zk6m7n8p9z",
      "type": "webhook.test",
      "timestamp": "2026-09-03T10:00:00.000Z",
      "api_version": "v1",
      "environment": "TEST",
      "data": {}
    }
  }
};
