-- ISO 3166-1 assigns GB and GR. UK and EL are codes of other standards, with which a search for a national phone number
-- found nothing.
UPDATE locations SET country = CASE country WHEN 'UK' THEN 'GB' ELSE 'GR' END, version = version + 1
WHERE country IN ('UK', 'EL');
