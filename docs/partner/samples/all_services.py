from partner import Partner

names = {}
for page in Partner.from_environment().pages("/catalog", {"limit": 10}):
    # Each page contains the locations of its services. Merge the locations of all pages by id.
    for location in page["locations"]:
        names[location["id"]] = location["name"]
    for service in page["services"]:
        print(service["id"], service["name"])
print(", ".join(names.values()))
