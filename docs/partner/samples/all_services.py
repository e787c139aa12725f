from partner import pages

names = {}
for page in pages("/catalog", {"limit": 10}):
    # Each page holds the locations of its own services: merge them by id.
    for location in page["locations"]:
        names[location["id"]] = location["name"]
    for service in page["services"]:
        print(service["id"], service["name"])
print(", ".join(names.values()))
