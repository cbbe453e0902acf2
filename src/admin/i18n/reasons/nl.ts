import type { ReasonTexts } from "../texts"

const nl = {
  channel_closed: {
    message: "Het verkoopkanaal is uitgeschakeld of verwijderd, dus niets erin is te koop.",
    fix: "Schakel het in of kies een ander.",
  },
  region_gone: { message: "De regio bestaat niet meer.", fix: "Kies een andere regio." },
  no_products: {
    message: "Het verkoopkanaal heeft geen gepubliceerd product.",
    fix: "Publiceer er een product in of kies een ander verkoopkanaal.",
  },
  no_prices: {
    message: "Geen product van het verkoopkanaal heeft een prijs in {{currency}}.",
    fix: "Kies de regio met de valuta van je prijzen, of voeg prijzen in deze valuta toe.",
  },
  storefront_unreachable: {
    message: "De winkel antwoordde niet ({{problem}}).",
    fix: "Open het adres in een browser. Opent het daar, controleer dan of ook de server van de winkel het bereikt.",
  },
  not_the_service: {
    message: "Er antwoordt iets op het adres van de dienst, maar het is niet de API van de dienst.",
    fix: "Vul het adres uit de API-instellingen van de pagina in.",
  },
  storefront_refused: {
    message: "De winkel antwoordde met HTTP-status {{status}}.",
    fix: "Vul het adres in dat klanten openen.",
  },
  storefront_private: {
    message:
      "Het adres van de winkel leidt naar een privénetwerk, waar klanten het niet kunnen openen.",
    fix: "Vul het openbare adres in. Voor ontwikkeling: zet SVC_ALLOW_INSECURE_URLS=true en start de winkel opnieuw.",
  },
  nothing_sent: {
    message: "De import is klaar, maar de dienst heeft geen van de producten.",
    fix: "Open de lijst met producten: bij elk staat de reden.",
  },
  import_ended: { message: "De import is niet tot het einde gekomen.", fix: "Start hem opnieuw." },
  delivery_refused: {
    message: "Een bericht kwam aan en werd geweigerd met HTTP-status {{status}}.",
    fix: 'Kies "Oorzaak zoeken" op de pagina van de verbinding.',
  },
  campaign_ended: {
    message:
      "De show is geannuleerd of verwijderd, of de termijn is verstreken: er wordt niets in verkocht.",
    fix: "Verschuif de termijn van de campagne, of gebruik een show die nog open is.",
  },
  undeclared: {
    message: "Deze verbinding stond in medusa-config.ts en staat daar niet meer. Het werk wacht.",
    fix: "Zet haar terug en herstart de winkel, voer een API-token in om haar hier te beheren, of verwijder haar.",
  },
  svc_unreachable: {
    message: "De dienst is niet bereikbaar op zijn adres.",
    fix: "Controleer het adres van de dienst in de instellingen van de verbinding. De winkel blijft het automatisch proberen.",
  },
  svc_timeout: {
    message: "De dienst antwoordde niet op tijd.",
    fix: "Je hoeft niets te doen: de winkel blijft het automatisch proberen.",
  },
  svc_unavailable: {
    message: "De dienst heeft op dit moment een storing.",
    fix: "Je hoeft niets te doen: de winkel blijft het automatisch proberen.",
  },
  svc_rate_limited: {
    message: "De dienst kreeg te veel verzoeken en vraagt om een pauze.",
    fix: "Je hoeft niets te doen: de winkel wacht zo lang als gevraagd en gaat dan verder.",
  },
  svc_unauthorized: {
    message: "De dienst accepteert de API-token niet.",
    fix: "Maak in de instellingen van je pagina bij de dienst een nieuwe API-token en plak die in de verbinding.",
  },
  svc_not_found: {
    message: "De dienst kent niet wat er is opgevraagd.",
    fix: "Controleer of de campagne of het item nog bij de dienst bestaat.",
  },
  svc_rejected: {
    message: "De dienst heeft de verstuurde gegevens geweigerd.",
    fix: "Lees het antwoord van de dienst en corrigeer de gegevens; daarna wordt opnieuw verstuurd.",
  },
  svc_unreadable: {
    message: "De dienst antwoordde in een vorm die deze versie niet kent.",
    fix: "Werk de plug-in bij of meld de fout.",
  },
  svc_paused: {
    message: "Na meerdere fouten op rij neemt de winkel een korte pauze.",
    fix: "Je hoeft niets te doen: daarna probeert de winkel het opnieuw.",
  },
  svc_insecure: {
    message:
      "Het adres van de dienst begint niet met https:// of leidt naar een privénetwerk; de winkel roept het niet aan.",
    fix: "Vul een adres in dat met https:// begint en niet in een privénetwerk ligt. Voor ontwikkeling: zet SVC_ALLOW_INSECURE_URLS=true en start de winkel opnieuw.",
  },
  no_variants: {
    message: "Het product heeft geen variant en dus geen prijs; het kan niet worden verkocht.",
    fix: "Voeg een variant met een prijs toe.",
  },
  no_price: {
    message: 'Geen variant heeft een prijs in {{currency}}, de valuta van de regio "{{region}}".',
    fix: "Voeg een prijs in {{currency}} toe aan de varianten.",
  },
  variants_without_price: {
    message:
      "Het product staat bij de dienst, maar zonder de varianten die geen prijs in {{currency}} hebben: {{variants}}.",
    fix: "Voeg een prijs in {{currency}} toe aan deze varianten.",
  },
  zero_price: {
    message: "Het product staat bij de dienst met prijs 0: {{variants}}.",
    fix: "Stel een prijs in {{currency}} in, tenzij het gratis moet zijn.",
  },
  image_unusable: {
    message:
      "Het product staat bij de dienst, maar zonder de afbeeldingen met een ongeldig adres: {{images}}.",
    fix: "Upload deze afbeeldingen opnieuw of corrigeer hun adressen.",
  },
  incomplete: {
    message: "Het product mist gegevens die de dienst nodig heeft ({{fields}}).",
    fix: "Vul het product aan; het wordt dan automatisch verstuurd.",
  },
  not_published: {
    message: "Het product is niet gepubliceerd en wordt dus niet bij de dienst verkocht.",
    fix: "Publiceer het product als het verkocht moet worden.",
  },
  not_in_channel: {
    message: "Het product zit niet in het verkoopkanaal van de verbinding.",
    fix: "Voeg het toe aan het verkoopkanaal als het daar verkocht moet worden.",
  },
  channel_disabled: {
    message:
      "Het verkoopkanaal van de verbinding is uitgeschakeld of verwijderd, dus er wordt niets verkocht.",
    fix: "Schakel het verkoopkanaal in of kies een ander in de instellingen van de verbinding.",
  },
  excluded: {
    message: "De instellingen van de verbinding sluiten dit product uit ({{rule}}).",
    fix: "Wijzig in de instellingen van de verbinding welke producten worden verstuurd, als het daar verkocht moet worden.",
  },
  excluded_by_mapper: {
    message: "De eigen mapProduct van de winkel sluit dit product uit.",
    fix: "Wijzig mapProduct in medusa-config.ts als het product daar verkocht moet worden.",
  },
  mapper_failed: {
    message: "De eigen mapProduct van de winkel is voor dit product mislukt: {{problem}}.",
    fix: "Corrigeer mapProduct in medusa-config.ts en start de winkel opnieuw.",
  },
  unreadable: {
    message: "Het product kon niet worden omgezet naar de vorm van de dienst: {{problem}}.",
    fix: "Kijk wat er ongewoon is aan dit product en meld de fout.",
  },
  deleted: {
    message: "Het product is in de winkel verwijderd.",
    fix: "Je hoeft niets te doen.",
  },
  region_missing: {
    message: "De regio van de verbinding bestaat niet meer, dus er kan geen prijs worden gelezen.",
    fix: "Kies een regio in de instellingen van de verbinding.",
  },
  store_error: {
    message: "Het product kon niet uit de winkel worden gelezen: {{problem}}",
    fix: "Je hoeft niets te doen: de winkel blijft het automatisch proberen. Blijft het probleem, kijk dan in het logboek van de winkel.",
  },
  import_failed: {
    message:
      "De import is een dag na het begin opgegeven, omdat de producten van de winkel niet konden worden gelezen: {{problem}}",
    fix: "Kijk in het logboek en de database van de winkel en start de import daarna opnieuw.",
  },
  product_too_large: {
    message: "Het product is te groot voor de dienst, ook als het alleen wordt verstuurd.",
    fix: "Verkort de teksten of verwijder afbeeldingen of varianten.",
  },
  product_fails_alone: {
    message:
      "Andere producten worden aangenomen, dit niet. De winkel blijft het een dag lang proberen, met steeds langere pauzes.",
    fix: "Blijft het probleem, kijk dan wat er ongewoon is aan dit product en meld het aan de dienst.",
  },
  given_up: {
    message: "Na 24 uur is het opgegeven.",
    fix: 'Producten worden elke nacht opnieuw geprobeerd. Met "Nu versturen", "Opnieuw melden" of "Opnieuw toepassen" probeer je het meteen.',
  },
  endpoint_refuses: {
    message:
      "De dienst neemt op dit adres geen producten aan ({{status}}), dus er wordt nu niets verstuurd.",
    fix: "Controleer het adres van de dienst en wat je abonnement omvat. De winkel probeert het elke minuut opnieuw.",
  },
  most_refused: {
    message: "De dienst weigert het meeste van wat wordt verstuurd, dus de winkel pauzeert.",
    fix: "Corrigeer wat de dienst aangeeft. De winkel probeert elke minuut een paar producten opnieuw.",
  },
  service_fails: {
    message: "Er kan nu niets worden verstuurd.",
    fix: "Je hoeft niets te doen: de winkel probeert het minstens elke minuut opnieuw.",
  },
  slow_down: {
    message: "De dienst vraagt om langzamer te versturen; de winkel wacht zo lang als gevraagd.",
    fix: "Je hoeft niets te doen: daarna gaat het versturen iets langzamer verder.",
  },
  payment_not_authorised: {
    message: "De betaling van de bestelling is nog niet geautoriseerd.",
    fix: "Je hoeft niets te doen: de bestelling wordt gemeld zodra de betaling binnenkomt.",
  },
  payment_not_captured: {
    message:
      "De betaling van de bestelling is nog niet geïncasseerd; pas dan wordt de bestelling gemeld.",
    fix: "Incasseer de betaling, of stel in dat bestellingen worden gemeld zodra ze zijn geplaatst.",
  },
  consent_missing: {
    message: "De klant heeft er niet mee ingestemd dat de bestelling aan de dienst wordt gemeld.",
    fix: "Je hoeft niets te doen, tenzij je webshop het had moeten vragen: die zet svc_consent op de winkelwagen.",
  },
  order_cancelled: {
    message: "De bestelling is geannuleerd voordat ze was gemeld.",
    fix: "Je hoeft niets te doen.",
  },
  order_deleted: {
    message: "De bestelling bestaat niet meer.",
    fix: "Je hoeft niets te doen.",
  },
  email_excluded: {
    message: "Bestellingen met een e-mailadres als {{pattern}} worden niet gemeld.",
    fix: "Je hoeft niets te doen. Of wijzig de uitgesloten adressen en meld de bestelling.",
  },
  sales_channel_excluded: {
    message: "Bestellingen van dit verkoopkanaal worden niet gemeld.",
    fix: "Je hoeft niets te doen. Of wijzig de uitgesloten verkoopkanalen en meld de bestelling.",
  },
  draft_order: {
    message: "De bestelling is een concept.",
    fix: "Je hoeft niets te doen.",
  },
  test_order: {
    message: "De bestelling is gemarkeerd als test (svc_test in de metadata).",
    fix: "Je hoeft niets te doen. Is het een echte bestelling, verwijder dan de markering en meld haar.",
  },
  no_show_lines: {
    message:
      "Niets in de bestelling werd tegen de showprijs verkocht, en zulke bestellingen worden niet gemeld.",
    fix: "Je hoeft niets te doen. Of stel in dat ook zulke bestellingen worden gemeld.",
  },
  order_half_placed: {
    message:
      "Medusa werd onderbroken bij het plaatsen van deze bestelling: ze heeft geen winkelwagen en misschien geen betaling. De klant heeft mogelijk opnieuw besteld.",
    fix: "Zoek de betaling bij je betaalprovider. Is er betaald, meld de bestelling dan hier; annuleer haar anders.",
  },
  waited_too_long: {
    message: "Waar de melding op wachtte, kwam niet binnen de termijn ({{days}} dagen).",
    fix: "Je hoeft niets te doen. Meld de bestelling als ze toch bij de dienst moet meetellen.",
  },
  order_conflict: {
    message: "De dienst weigerde de eerste melding van dit bestelnummer als conflict (409).",
    fix: "Vraag de support van de dienst waar het nummer bij hoort. Meld de bestelling opnieuw zodra het vrij is.",
  },
  order_number_used: {
    message: "Er is al een andere bestelling met dit bestelnummer gemeld.",
    fix: "Je hoeft niets te doen, tenzij de andere bestelling een vergissing was. Deze telt mee in je resultaten.",
  },
  order_number_shared: {
    message:
      "De dienst gaf één bestelnummer voor meerdere campagnes, en deze bestelling is er al mee gemeld.",
    fix: "Je hoeft niets te doen. Wat is verkocht, telt mee in de resultaten van elke campagne.",
  },
  connection_not_found: {
    message: "De verbinding bestaat niet meer; ze is verwijderd.",
    fix: "Laad de pagina opnieuw. Moet een bestelling voor de show meetellen, meld het dan rechtstreeks aan de dienst.",
  },
  report_fields_failed: {
    message: "De eigen reportFields van de winkel is mislukt: {{problem}}",
    fix: "Corrigeer reportFields in medusa-config.ts. De bestelling wordt dan automatisch opnieuw gemeld.",
  },
  report_store_error: {
    message:
      "De bestelling kon niet worden gemeld door een fout in de eigen database van de winkel: {{problem}}",
    fix: "Je hoeft niets te doen: de winkel blijft het automatisch proberen. Blijft het probleem, controleer dan de database van de winkel.",
  },
  price_differs: {
    message: "Voor een stuk is {{charged}} berekend, terwijl de showprijs {{proven}} was.",
    fix: "Controleer de bestelling. Een andere plug-in of een handmatige wijziging kan de prijs hebben bepaald.",
  },
  tax_basis_differs: {
    message: "De showprijs had een andere btw-grondslag dan waarmee de regel is berekend.",
    fix: "Controleer de btw van de bestelling.",
  },
  price_expired: {
    message: "De showprijs gold niet meer toen de bestelling werd geplaatst.",
    fix: "Je hoeft niets te doen, tenzij je niet tegen die prijs wilt verkopen: de betaalprovider plaatste de bestelling nadat de klant de kassa had verlaten.",
  },
  campaign_over: {
    message: "De show was voorbij toen de bestelling werd geplaatst.",
    fix: "Je hoeft niets te doen, tenzij je niet tegen die prijs wilt verkopen.",
  },
  price_unproven: {
    message: "De regel is gemarkeerd als verkocht in een show, maar de prijs is niet aangetoond.",
    fix: "Controleer de berekende prijs.",
  },
  not_in_show: {
    message: "Het product is uit de show verwijderd.",
    fix: "Voeg het weer aan de show toe als het daar verkocht moet worden.",
  },
  not_connected: {
    message:
      "De verbinding met de dienst werkt niet: geen winkelmandje krijgt de prijs van de show.",
    fix: "Open de verbinding onder Instellingen, Live shopping: daar staat wat er mis is.",
  },
  connection_trouble: {
    message:
      "Aanroepen van de dienst mislukken, dus winkelmandjes krijgen de prijs van de show misschien niet.",
    fix: "Open de verbinding onder Instellingen, Live shopping: daar staat wat er mis is.",
  },
  other_currency: {
    message:
      "De show verkoopt in {{show_currency}}, maar de regio van de verbinding verkoopt in {{currency}}: geen winkelmandje krijgt de prijs van de show.",
    fix: "Kies voor de verbinding een regio die in {{show_currency}} verkoopt, of stel de prijzen van de show in {{currency}} in.",
  },
  not_in_store: {
    message: "Het product van de show zit niet in dit verkoopkanaal.",
    fix: "Voeg het toe aan het verkoopkanaal en publiceer het, of kies een ander product voor de show.",
  },
  not_for_sale: {
    message: "Het product wordt niet meer in deze winkel verkocht.",
    fix: "Publiceer het weer in het verkoopkanaal van de verbinding, of verwijder het uit de show.",
  },
  failed: {
    message: "Het product kon niet naar de dienst worden verstuurd.",
    fix: "Open het product in de productlijst en verstuur het opnieuw.",
  },
  not_sent_yet: {
    message: "Het product wacht om naar de dienst te worden verstuurd.",
    fix: "Je hoeft niets te doen: het wordt zo verstuurd.",
  },
  no_show_price: {
    message: "De show heeft geen prijs voor het product.",
    fix: "Stel een prijs in de show in.",
  },
  not_available: {
    message: "De dienst toont het product als niet beschikbaar.",
    fix: "Controleer de voorraad, of maak het product beschikbaar in de show.",
  },
  price_above_catalog: {
    message: "De showprijs is hoger dan de prijs in de winkel.",
    fix: "Verlaag de showprijs. Of zet de optie whenCatalogIsCheaper op catalog: dan geldt de laagste.",
  },
  out_of_stock: {
    message: "Het product is uitverkocht.",
    fix: "Vul de voorraad aan op een locatie van het verkoopkanaal, of haal het product uit de show.",
  },
  variants_out_of_stock: {
    message: "{{count}} van {{of}} varianten uitverkocht: {{variants}}.",
    fix: "Vul hun voorraad aan, of toon de andere.",
  },
  no_time: {
    message: "Het tijdstip van de wijziging ontbreekt, dus ze kan niet in volgorde worden gezet.",
    fix: "Verstuur het bericht opnieuw vanuit het dashboard van de dienst, of wacht: de winkel synchroniseert elke nacht.",
  },
  from_the_future: {
    message: "De wijziging is later gedateerd dan het bericht is verstuurd.",
    fix: "Pas het bericht toe zodra dat tijdstip er is. Nu zou het alle latere wijzigingen verbergen.",
  },
  ids_missing: {
    message: "Het is niet duidelijk waar het over gaat; dit ontbreekt: {{fields}}.",
    fix: "Meld het met de inhoud aan de dienst. Andere berichten hebben er geen last van.",
  },
  unknown_topic: {
    message: 'Deze versie van de plug-in kent het onderwerp "{{topic}}" niet.',
    fix: "Werk de plug-in bij en pas het bericht dan opnieuw toe.",
  },
  unknown_version: {
    message:
      'De versie "{{version}}" van de inhoud is onbekend; deze versie van de plug-in leest v1.',
    fix: "Zet de webhook bij de dienst op v1 of werk de plug-in bij, en pas het bericht dan opnieuw toe.",
  },
  not_readable: {
    message: "De opgeslagen inhoud kan niet meer worden gelezen.",
    fix: "Meld de fout.",
  },
  not_applied: {
    message: "Het bericht kon niet worden toegepast: {{problem}}",
    fix: "De winkel probeert het een dag lang automatisch; pas het daarna opnieuw toe.",
  },
  resent: {
    message: "Het herhaalt een bekend bericht, alleen met een ander tijdstip.",
    fix: "Je hoeft niets te doen.",
  },
  fields_unread: {
    message: "Het is toegepast zonder {{fields}}; dat was niet leesbaar.",
    fix: "Meld het met de inhoud aan de dienst.",
  },
  fields_missing: {
    message:
      "Het is toegepast zonder {{fields}}; dat ontbreekt: zonder status telt een show als gepland, zonder isPublished als niet gepubliceerd.",
    fix: "Meld het met de inhoud aan de dienst. De volgende levering die het bevat, zet het recht.",
  },
  alias_differs: {
    message: '{{name}} is "{{value}}", maar hoort bij "{{record}}".',
    fix: "Je hoeft niets te doen.",
  },
  webhook_not_registered: {
    message: "De dienst informeert deze winkel niet over shows: er is geen webhook geregistreerd.",
    fix: "Registreer de webhook.",
  },
  webhook_key_unknown: {
    message: "De webhook heeft geen handtekeningsleutel, dus zijn berichten worden geweigerd.",
    fix: "Vervang de sleutel, of voer hem handmatig in.",
  },
  webhook_warning: {
    message: "Volgens de dienst mislukken berichten al minstens 30 minuten.",
    fix: "Controleer of het adres van deze winkel van buitenaf bereikbaar is. Na 60 minuten stopt de dienst met versturen.",
  },
  webhook_disabled: {
    message: "De dienst verstuurt niets meer, omdat berichten 60 minuten lang mislukten.",
    fix: "Controleer of het adres van deze winkel van buitenaf bereikbaar is en registreer de webhook opnieuw, of activeer hem in het dashboard van de dienst. Wat is gemist, wordt automatisch opgehaald.",
  },
  webhook_missing: {
    message: "De dienst kent deze webhook niet meer.",
    fix: "Registreer de webhook opnieuw.",
  },
  applying_paused: {
    message: "Berichten worden bewaard, maar niet toegepast: het toepassen is gepauzeerd.",
    fix: "Hervat het toepassen. Er gaat intussen niets verloren.",
  },
  clock_skew: {
    message: "De klokken van deze winkel en van de dienst verschillen {{seconds}} seconden.",
    fix: "Zet de klok van deze winkel gelijk (NTP). Berichten die meer dan {{tolerance}} seconden afwijken, worden geweigerd.",
  },
  deliveries_refused: {
    message: "Onlangs zijn berichten geweigerd, en sindsdien is er geen aangenomen.",
    fix: "Controleer de handtekeningsleutel, de pagina-UID en de klok van de winkel.",
  },
  deliveries_quarantined: {
    message: "Berichten die zijn tegengehouden omdat ze niet te plaatsen zijn: {{count}}.",
    fix: 'Open "Webhookberichten", lees de reden en kies "Opnieuw toepassen".',
  },
  deliveries_unknown: {
    message: "Berichten met een onderwerp of versie die de plug-in niet kent: {{count}}.",
    fix: "Werk de plug-in bij en pas ze dan opnieuw toe.",
  },
  deliveries_failed: {
    message: "Berichten die niet konden worden toegepast: {{count}}.",
    fix: 'Open "Webhookberichten", lees de reden en kies "Opnieuw toepassen".',
  },
  listing_incomplete: {
    message: "De lijst met shows van de dienst was niet volledig.",
    fix: "Je hoeft niets te doen: ze wordt opnieuw gelezen. Blijft het probleem, meld het dan aan de dienst.",
  },
  catalog_not_imported: {
    message: "De dienst kent nog geen product van deze winkel.",
    fix: "Start een import.",
  },
  encryption_key_missing: {
    message:
      "SVC_ENCRYPTION_KEYS is niet ingesteld: tokens en sleutels kunnen niet worden opgeslagen of gelezen.",
    fix: "Stel SVC_ENCRYPTION_KEYS in en start de winkel opnieuw; bij het opslaan van een token zie je de opdracht die een sleutel maakt.",
  },
  encryption_key_removed: {
    message:
      "Opgeslagen geheimen ({{count}}) hebben een sleutel nodig die niet in SVC_ENCRYPTION_KEYS staat: {{keys}}.",
    fix: "Zet de sleutel terug achter de actieve en start alle processen opnieuw. Is hij kwijt, voer dan de API-tokens opnieuw in en vernieuw de handtekeningsleutels.",
  },
  encryption_key_old: {
    message:
      "Opgeslagen geheimen ({{count}}) zijn versleuteld met een oude sleutel: {{keys}}. Zonder die sleutel zijn ze onleesbaar.",
    fix: "Voer npx medusa-plugin-svc rotate-keys --apply uit voordat je hem uit SVC_ENCRYPTION_KEYS haalt.",
  },
  worker_stuck: {
    message: "Er wacht al {{minutes}} minuten werk dat niemand uitvoert.",
    fix: "Controleer of er een proces draait als worker of shared (MEDUSA_WORKER_MODE).",
  },
  orders_failed: {
    message: "Bestellingen die niet aan de dienst konden worden gemeld: {{count}}.",
    fix: 'Open "Bestellingen", lees de reden en kies "Opnieuw melden".',
  },
  orders_delayed: {
    message:
      "Bestellingen die al langer dan een uur niet zijn gemeld door een fout in de winkel zelf: {{count}}.",
    fix: 'Open "Bestellingen" en lees de reden. Ze worden automatisch gemeld zodra de fout is verholpen.',
  },
  products_failed: {
    message: "Producten die de dienst weigerde of die zijn opgegeven: {{count}}.",
    fix: 'Open "Producten", lees de reden en kies "Nu versturen".',
  },
  core_table_changed: {
    message:
      "Deze versie van Medusa mist gegevens waarop de plug-in steunt ({{missing}}); een deel ervan werkt niet.",
    fix: "Werk medusa-plugin-svc bij naar een versie die deze versie van Medusa ondersteunt, of ga terug naar de vorige.",
  },
  unexpected: {
    message: "De shows konden niet bij de dienst worden gelezen.",
    fix: "Je hoeft niets te doen: de winkel blijft het automatisch proberen.",
  },
  invalid_url: {
    message: "Het adres van de dienst is ongeldig.",
    fix: "Schrijf het als https://host/pad, zonder gebruiker, query of fragment.",
  },
  insecure_url: {
    message: "Dit adres is niet toegestaan: het moet openbaar zijn en met https:// beginnen.",
    fix: "Corrigeer het adres; stel voor de webhook SVC_BACKEND_URL in op het https-adres van de winkel en start de winkel opnieuw.",
  },
  token_required: {
    message: "Het adres van de dienst is gewijzigd.",
    fix: "Voer de API-token opnieuw in, zodat die niet naar een verkeerd adres wordt gestuurd.",
  },
  sales_channel_not_found: {
    message: "Dit verkoopkanaal bestaat niet.",
    fix: "Kies een verkoopkanaal van de winkel.",
  },
  region_not_found: {
    message: "Deze regio bestaat niet.",
    fix: "Kies een regio van de winkel.",
  },
  backend_url_missing: {
    message:
      "De winkel kent zijn eigen openbare adres niet, dus er kan geen webhook worden geregistreerd.",
    fix: "Stel SVC_BACKEND_URL daarop in, bijvoorbeeld https://shop.example.com, en start de winkel opnieuw.",
  },
  secret_unreadable: {
    message: "Een opgeslagen geheim kan niet worden ontsleuteld.",
    fix: "Zet de sleutel waarmee het is versleuteld terug in SVC_ENCRYPTION_KEYS, of voer token en handtekeningsleutel opnieuw in.",
  },
  not_found: {
    message: "Dit item bestaat niet meer.",
    fix: "Laad de pagina opnieuw.",
  },
  connection_read_only: {
    message: "Deze verbinding staat in medusa-config.ts.",
    fix: "Wijzig haar daar en start de winkel opnieuw.",
  },
  connection_exists: {
    message: "Deze pagina is al verbonden.",
    fix: "Wijzig de bestaande verbinding, of verwijder die eerst.",
  },
  sync_running: {
    message: "Er loopt al een import van deze verbinding.",
    fix: "Wacht erop, of annuleer hem eerst.",
  },
  sync_not_running: {
    message: "Er loopt geen import.",
    fix: "Start er eerst een.",
  },
  webhook_limit: {
    message:
      "De pagina heeft al zoveel webhooks als toegestaan, en geen daarvan is van deze winkel.",
    fix: "Verwijder er in het dashboard van de dienst een die niet meer nodig is.",
  },
  webhook_headers_unknown: {
    message:
      "De dienst heeft deze webhook uitgeschakeld, en een nieuwe zou de eigen headers missen.",
    fix: "Activeer hem in het dashboard van de dienst, of registreer hem opnieuw met de headers.",
  },
  order_not_reportable: {
    message: "De bestelling is geannuleerd of verwijderd en kan niet worden gemeld.",
    fix: "Je hoeft niets te doen.",
  },
  svc_call_failed: {
    message: "De dienst heeft het verzoek niet uitgevoerd.",
    fix: "Controleer het adres en de token van de verbinding en probeer het zo opnieuw.",
  },
} satisfies ReasonTexts

export default nl

/** What the webhook's doctor finds: codes of their own, beside those that the service may give. */
export const findings: ReasonTexts = {
  backend_url_missing: nl.backend_url_missing,
  address_not_public: {
    message:
      "Het adres {{url}} van de winkel ligt in een privénetwerk, waar de dienst het niet kan bereiken.",
    fix: "Stel SVC_BACKEND_URL in op een openbaar https-adres van deze winkel, start de winkel opnieuw en registreer de webhook opnieuw.",
  },
  address_insecure: {
    message:
      "Het adres {{url}} van de winkel begint niet met https://, en de dienst verstuurt alleen naar https-adressen.",
    fix: "Maak de winkel bereikbaar via https, stel SVC_BACKEND_URL in op dat adres, start de winkel opnieuw en registreer de webhook opnieuw.",
  },
  not_registered: nl.webhook_not_registered,
  subscriber_gone: nl.webhook_missing,
  subscriber_disabled: nl.webhook_disabled,
  subscriber_warning: nl.webhook_warning,
  other_address: {
    message: "De dienst verstuurt naar {{registered}}, maar de winkel ontvangt op {{expected}}.",
    fix: "Registreer de webhook opnieuw: dan krijgt hij het juiste adres.",
  },
  topics_missing: {
    message: "De dienst verstuurt deze onderwerpen niet: {{topics}}.",
    fix: "Registreer de webhook opnieuw zonder onderwerpen te kiezen, zodat elke wijziging wordt verstuurd.",
  },
  other_subscribers: {
    message:
      "De pagina heeft andere webhooks ({{count}}): {{names}}. Elke webhook krijgt eigen berichten, ondertekend met een eigen sleutel. Een pagina mag er in totaal {{limit}} hebben.",
    fix: "Je hoeft niets te doen. Is een ervan een oude webhook van deze winkel, verwijder die dan in het dashboard van de dienst.",
  },
  service_unreachable: {
    message: "De webhook kon niet bij de dienst worden opgevraagd: {{problem}}",
    fix: "Controleer het adres en de token van de verbinding.",
  },
  key_missing: nl.webhook_key_unknown,
  key_unreadable: {
    message: "De handtekeningsleutel is opgeslagen, maar kan hier niet worden ontsleuteld.",
    fix: "Zet de sleutel waarmee hij is versleuteld terug in SVC_ENCRYPTION_KEYS, of vervang de handtekeningsleutel.",
  },
  not_reached: {
    message: "Het eigen adres van de winkel antwoordde niet: {{problem}}",
    fix: "Open {{url}} vanuit een ander netwerk. Komt er ook daar geen antwoord, controleer dan DNS, firewall en proxy.",
  },
  not_this_store: {
    message:
      "{{url}} antwoordt met {{status}}, maar het antwoord komt niet van deze plug-in: iets vóór de winkel antwoordt in zijn plaats.",
    fix: "Stel je proxy of hosting zo in dat POST-verzoeken naar /hooks/svc/ zonder inloggen en ongewijzigd bij de winkel aankomen.",
  },
  body_limit: {
    message: "Iets vóór de winkel weigert verzoeken van {{bytes}} bytes ({{status}}).",
    fix: "Verhoog in je proxy de toegestane grootte van verzoeken naar /hooks/svc/ tot 1 MiB (nginx: client_max_body_size).",
  },
  body_changed: {
    message:
      "Een verzoek dat de winkel zelf had ondertekend, was na de weg via {{url}} niet meer geldig: iets wijzigt het onderweg.",
    fix: "Schakel uit wat de inhoud of headers van verzoeken naar /hooks/svc/ wijzigt (een firewall die JSON opschoont, of een gateway die het herschrijft).",
  },
  signature_stripped: {
    message:
      "Verzoeken die zonder de headers van de handtekening kwamen: {{count}}, het laatst op {{last_at}}.",
    fix: "Stel je proxy zo in dat hij de headers X-Svc-Signature en X-Svc-Timestamp doorgeeft. Verzoeken van vreemden zien er net zo uit: wijzig alleen iets als er geen berichten worden aangenomen.",
  },
  wrong_key: {
    message:
      "Verzoeken die met een andere sleutel waren ondertekend of onderweg zijn gewijzigd: {{count}}, het laatst op {{last_at}}.",
    fix: "Vervang de sleutel, of voer de sleutel in die het dashboard van de dienst toonde.",
  },
  clock: {
    message:
      "Goed ondertekende berichten die zijn geweigerd omdat ze te oud of te vroeg waren: {{count}}, het laatste met een verschil van {{seconds}} seconden.",
    fix: "Zet de klok van deze winkel gelijk (NTP). Houdt een gateway berichten vast, stel SVC_WEBHOOK_TOLERANCE_SECONDS dan in op de tijd die dat mag duren.",
  },
  wrong_page: {
    message:
      "Goed ondertekende berichten die voor een andere pagina dan {{page}} waren: {{count}}.",
    fix: "Controleer de pagina-UID in de instellingen van de verbinding.",
  },
  wrong_type: {
    message:
      "Verzoeken waarvan het inhoudstype of de codering geen gewone JSON was: {{count}}, het laatst op {{last_at}}.",
    fix: "Stel je proxy zo in dat hij de inhoud ongewijzigd doorgeeft, zonder die te comprimeren of om te zetten.",
  },
  too_large: {
    message:
      "Verzoeken die groter waren dan {{bytes}} bytes: {{count}}, het laatst op {{last_at}}.",
    fix: "Verhoog SVC_WEBHOOK_MAX_BYTES als de dienst zulke grote berichten verstuurt.",
  },
  store_overloaded: {
    message:
      "Berichten die de winkel niet op tijd kon aannemen en later opnieuw heeft gevraagd: {{count}}, het laatst op {{last_at}}.",
    fix: "Controleer de database: de antwoordtijden, de schijf en het aantal verbindingen.",
  },
  silent: {
    message: "Sinds {{last_at}} is er geen bericht aangekomen.",
    fix: 'Kies hier "Op een test wachten" en verstuur dan de test in de webhookinstellingen van de dienst.',
  },
  never_heard: {
    message: "Sinds de webhook is geregistreerd, is er geen bericht aangekomen.",
    fix: 'Kies hier "Op een test wachten" en verstuur dan de test in de webhookinstellingen van de dienst.',
  },
  applying_paused: nl.applying_paused,
  well: {
    message: "Berichten komen aan en zijn goed ondertekend, het laatst op {{last_at}}.",
    fix: "Je hoeft niets te doen.",
  },
}
