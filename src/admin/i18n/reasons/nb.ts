import type { ReasonTexts } from "../texts"

const nb = {
  channel_closed: {
    message: "Salgskanalen er slått av eller slettet, så ingenting i den er til salgs.",
    fix: "Slå den på, eller velg en annen.",
  },
  region_gone: { message: "Regionen finnes ikke lenger.", fix: "Velg en annen region." },
  no_products: {
    message: "Salgskanalen har ingen publiserte varer.",
    fix: "Publiser en vare i den, eller velg en annen salgskanal.",
  },
  no_prices: {
    message: "Ingen vare i salgskanalen har en pris i {{currency}}.",
    fix: "Velg regionen med valutaen prisene dine er i, eller legg til priser i denne valutaen.",
  },
  storefront_unreachable: {
    message: "Butikken svarte ikke ({{problem}}).",
    fix: "Åpne adressen i en nettleser. Åpnes den der, kontroller at butikkens server også når den.",
  },
  not_the_service: {
    message: "Noe svarer på tjenestens adresse, men det er ikke tjenestens API.",
    fix: "Skriv inn adressen fra sidens API-innstillinger.",
  },
  storefront_refused: {
    message: "Butikken svarte med HTTP-status {{status}}.",
    fix: "Skriv inn adressen som kundene åpner.",
  },
  storefront_private: {
    message: "Butikkens adresse leder inn i et privat nettverk, der kundene ikke kan åpne den.",
    fix: "Skriv inn den offentlige adressen. Under utvikling: sett SVC_ALLOW_INSECURE_URLS=true og start butikken på nytt.",
  },
  nothing_sent: {
    message: "Importen er ferdig, men tjenesten har ingen av varene.",
    fix: "Åpne listen over varer: ved hver står årsaken.",
  },
  import_ended: { message: "Importen ble ikke kjørt til slutt.", fix: "Start den på nytt." },
  delivery_refused: {
    message: "En melding kom frem og ble avvist med HTTP-status {{status}}.",
    fix: "Velg «Finn årsaken» på siden til tilkoblingen.",
  },
  campaign_ended: {
    message: "Showet er avlyst eller slettet, eller fristen er utløpt: ingenting i det selges.",
    fix: "Flytt kampanjens frist, eller bruk et show som fortsatt er åpent.",
  },
  undeclared: {
    message: "Denne tilkoblingen sto i medusa-config.ts og står der ikke lenger. Arbeidet venter.",
    fix: "Legg den inn igjen og start butikken på nytt, skriv inn et API-token for å administrere den her, eller slett den.",
  },
  svc_unreachable: {
    message: "Tjenesten kan ikke nås på adressen sin.",
    fix: "Kontroller tjenestens adresse i tilkoblingens innstillinger. Butikken prøver automatisk igjen.",
  },
  svc_timeout: {
    message: "Tjenesten svarte ikke i tide.",
    fix: "Du trenger ikke å gjøre noe: butikken prøver automatisk igjen.",
  },
  svc_unavailable: {
    message: "Tjenesten har problemer akkurat nå.",
    fix: "Du trenger ikke å gjøre noe: butikken prøver automatisk igjen.",
  },
  svc_rate_limited: {
    message: "Tjenesten har fått for mange forespørsler og ber om en pause.",
    fix: "Du trenger ikke å gjøre noe: butikken venter så lenge tjenesten ber om, og fortsetter.",
  },
  svc_unauthorized: {
    message: "Tjenesten godtar ikke API-tokenet.",
    fix: "Lag et nytt API-token i sidens innstillinger i tjenesten, og lim det inn i tilkoblingen.",
  },
  svc_not_found: {
    message: "Tjenesten kjenner ikke det som ble forespurt.",
    fix: "Kontroller at kampanjen eller oppføringen fortsatt finnes i tjenesten.",
  },
  svc_rejected: {
    message: "Tjenesten avviste dataene som ble sendt.",
    fix: "Les svaret fra tjenesten og rett dataene; deretter sendes de på nytt.",
  },
  svc_unreadable: {
    message: "Tjenesten svarte i et format som denne versjonen ikke kjenner.",
    fix: "Oppdater utvidelsen eller rapporter feilen.",
  },
  svc_paused: {
    message: "Etter flere feil på rad tar butikken en kort pause.",
    fix: "Du trenger ikke å gjøre noe: butikken prøver igjen etterpå.",
  },
  svc_insecure: {
    message:
      "Tjenestens adresse begynner ikke med https:// eller fører inn i et privat nettverk, så butikken kaller den ikke.",
    fix: "Oppgi en adresse som begynner med https:// og ikke ligger i et privat nettverk. For utvikling: sett SVC_ALLOW_INSECURE_URLS=true og start butikken på nytt.",
  },
  no_variants: {
    message: "Produktet har ingen variant og dermed ingen pris, så det kan ikke selges.",
    fix: "Legg til en variant med pris.",
  },
  no_price: {
    message: "Ingen variant har en pris i {{currency}}, valutaen i regionen «{{region}}».",
    fix: "Legg til en pris i {{currency}} på variantene.",
  },
  variants_without_price: {
    message:
      "Produktet er i tjenesten, men uten variantene som ikke har pris i {{currency}}: {{variants}}.",
    fix: "Legg til en pris i {{currency}} på disse variantene.",
  },
  zero_price: {
    message: "Produktet er i tjenesten med prisen 0: {{variants}}.",
    fix: "Angi en pris i {{currency}}, med mindre det skal være gratis.",
  },
  image_unusable: {
    message: "Produktet er i tjenesten, men uten bildene med ugyldig adresse: {{images}}.",
    fix: "Last opp bildene på nytt eller rett adressene.",
  },
  incomplete: {
    message: "Produktet mangler opplysninger som tjenesten krever ({{fields}}).",
    fix: "Fyll ut produktet; da sendes det automatisk.",
  },
  not_published: {
    message: "Produktet er ikke publisert, så det selges ikke i tjenesten.",
    fix: "Publiser produktet hvis det skal selges.",
  },
  not_in_channel: {
    message: "Produktet er ikke i tilkoblingens salgskanal.",
    fix: "Legg det til i salgskanalen hvis det skal selges der.",
  },
  channel_disabled: {
    message: "Tilkoblingens salgskanal er slått av eller slettet, så ingenting selges.",
    fix: "Slå på salgskanalen, eller velg en annen i tilkoblingens innstillinger.",
  },
  excluded: {
    message: "Tilkoblingens innstillinger utelater dette produktet ({{rule}}).",
    fix: "Endre i tilkoblingens innstillinger hvilke produkter som sendes, hvis det skal selges der.",
  },
  excluded_by_mapper: {
    message: "Butikkens egen mapProduct utelater dette produktet.",
    fix: "Endre mapProduct i medusa-config.ts hvis produktet skal selges der.",
  },
  mapper_failed: {
    message: "Butikkens egen mapProduct feilet for dette produktet: {{problem}}.",
    fix: "Rett mapProduct i medusa-config.ts og start butikken på nytt.",
  },
  unreadable: {
    message: "Produktet kunne ikke gjøres om til tjenestens format: {{problem}}.",
    fix: "Se hva som er uvanlig med produktet, og rapporter feilen.",
  },
  deleted: {
    message: "Produktet ble slettet i butikken.",
    fix: "Du trenger ikke å gjøre noe.",
  },
  region_missing: {
    message: "Tilkoblingens region finnes ikke lenger, så ingen pris kan leses.",
    fix: "Velg en region i tilkoblingens innstillinger.",
  },
  store_error: {
    message: "Produktet kunne ikke leses fra butikken: {{problem}}",
    fix: "Du trenger ikke å gjøre noe: butikken prøver automatisk igjen. Hvis det vedvarer, se i butikkens logg.",
  },
  import_failed: {
    message:
      "Importen ble gitt opp et døgn etter starten fordi butikkens produkter ikke kunne leses: {{problem}}",
    fix: "Se i butikkens logg og database, og start importen på nytt.",
  },
  product_too_large: {
    message: "Produktet er for stort for tjenesten, selv når det sendes alene.",
    fix: "Forkort tekstene, eller fjern bilder eller varianter.",
  },
  product_fails_alone: {
    message:
      "Andre produkter godtas, men ikke dette. Butikken prøver videre i et døgn, med stadig lengre mellomrom.",
    fix: "Hvis det vedvarer, se hva som er uvanlig med produktet, og si fra til tjenesten.",
  },
  given_up: {
    message: "Butikken ga opp etter 24 timer.",
    fix: "Produkter prøves på nytt hver natt. «Send nå», «Rapporter på nytt» eller «Bruk på nytt» prøver med én gang.",
  },
  endpoint_refuses: {
    message:
      "Tjenesten tar ikke imot produkter på denne adressen ({{status}}), så ingenting sendes akkurat nå.",
    fix: "Kontroller tjenestens adresse og hva abonnementet ditt omfatter. Butikken prøver igjen hvert minutt.",
  },
  most_refused: {
    message: "Tjenesten avviser det meste som sendes, så butikken tar en pause.",
    fix: "Rett det tjenesten påpeker. Butikken prøver noen få produkter igjen hvert minutt.",
  },
  service_fails: {
    message: "Ingenting kan sendes akkurat nå.",
    fix: "Du trenger ikke å gjøre noe: butikken prøver igjen minst hvert minutt.",
  },
  slow_down: {
    message: "Tjenesten ber om lavere tempo, så butikken venter så lenge den ber om.",
    fix: "Du trenger ikke å gjøre noe: deretter fortsetter sendingen litt saktere.",
  },
  payment_not_authorised: {
    message: "Betalingen for ordren er ikke autorisert ennå.",
    fix: "Du trenger ikke å gjøre noe: ordren rapporteres når betalingen kommer.",
  },
  payment_not_captured: {
    message: "Betalingen for ordren er ikke trukket ennå, og ordrer rapporteres først da.",
    fix: "Trekk betalingen, eller still inn at ordrer rapporteres når de legges inn.",
  },
  consent_missing: {
    message: "Kunden har ikke samtykket til at ordren rapporteres til tjenesten.",
    fix: "Du trenger ikke å gjøre noe, med mindre nettbutikken burde ha spurt: den setter svc_consent på handlekurven.",
  },
  order_cancelled: {
    message: "Ordren ble kansellert før den ble rapportert.",
    fix: "Du trenger ikke å gjøre noe.",
  },
  order_deleted: {
    message: "Ordren finnes ikke lenger.",
    fix: "Du trenger ikke å gjøre noe.",
  },
  email_excluded: {
    message: "Ordrer med en e-postadresse som {{pattern}} rapporteres ikke.",
    fix: "Du trenger ikke å gjøre noe. Eller endre adressene som utelates, og rapporter ordren.",
  },
  sales_channel_excluded: {
    message: "Ordrer i denne salgskanalen rapporteres ikke.",
    fix: "Du trenger ikke å gjøre noe. Eller endre salgskanalene som utelates, og rapporter ordren.",
  },
  draft_order: {
    message: "Ordren er et utkast.",
    fix: "Du trenger ikke å gjøre noe.",
  },
  test_order: {
    message: "Ordren er merket som test (svc_test i metadata).",
    fix: "Du trenger ikke å gjøre noe. Fjern merket hvis det er en ekte ordre, og rapporter den.",
  },
  no_show_lines: {
    message: "Ingenting i ordren ble solgt til showets pris, og slike ordrer rapporteres ikke.",
    fix: "Du trenger ikke å gjøre noe. Eller still inn at også slike ordrer rapporteres.",
  },
  order_half_placed: {
    message:
      "Medusa ble avbrutt da ordren ble opprettet: den har ingen handlekurv og kanskje ingen betaling. Kunden kan ha bestilt på nytt.",
    fix: "Finn betalingen hos betalingsleverandøren. Er ordren betalt, rapporter den her; ellers kanseller den.",
  },
  waited_too_long: {
    message: "Det rapporten ventet på, kom ikke innen fristen ({{days}} dager).",
    fix: "Du trenger ikke å gjøre noe. Rapporter ordren hvis den likevel skal telle i tjenesten.",
  },
  order_conflict: {
    message:
      "Tjenesten avviste den første rapporten med dette ordrenummeret som en konflikt (409).",
    fix: "Spør tjenestens support hva nummeret tilhører. Rapporter ordren på nytt når det er ledig.",
  },
  order_number_used: {
    message: "En annen ordre er allerede rapportert med dette ordrenummeret.",
    fix: "Du trenger ikke å gjøre noe, med mindre den andre ordren var en feil. Denne teller i resultatene dine.",
  },
  order_number_shared: {
    message:
      "Tjenesten ga ett ordrenummer for flere kampanjer, og denne ordren er allerede rapportert med det.",
    fix: "Du trenger ikke å gjøre noe. Det som ble solgt, teller i resultatene for hver kampanje.",
  },
  connection_not_found: {
    message: "Tilkoblingen finnes ikke lenger; den er slettet.",
    fix: "Last siden på nytt. Hvis en ordre skal telle for showet, si fra direkte til tjenesten.",
  },
  report_fields_failed: {
    message: "Butikkens egen reportFields feilet: {{problem}}",
    fix: "Rett reportFields i medusa-config.ts. Ordren rapporteres da automatisk på nytt.",
  },
  report_store_error: {
    message:
      "Ordren kunne ikke rapporteres på grunn av en feil i butikkens egen database: {{problem}}",
    fix: "Du trenger ikke å gjøre noe: butikken prøver automatisk igjen. Hvis det vedvarer, kontroller butikkens database.",
  },
  price_differs: {
    message: "En enhet ble solgt for {{charged}}, men showets pris var {{proven}}.",
    fix: "Kontroller ordren. En annen utvidelse eller en manuell endring kan ha satt prisen.",
  },
  tax_basis_differs: {
    message: "Showets pris hadde et annet avgiftsgrunnlag enn linjen ble solgt med.",
    fix: "Kontroller merverdiavgiften på ordren.",
  },
  price_expired: {
    message: "Showets pris gjaldt ikke lenger da ordren ble lagt inn.",
    fix: "Du trenger ikke å gjøre noe, med mindre du ikke vil selge til den prisen: betalingsleverandøren la inn ordren etter at kunden hadde forlatt kassen.",
  },
  campaign_over: {
    message: "Showet var over da ordren ble lagt inn.",
    fix: "Du trenger ikke å gjøre noe, med mindre du ikke vil selge til den prisen.",
  },
  price_unproven: {
    message: "Linjen er merket som solgt i et show, men prisen er ikke dokumentert.",
    fix: "Kontroller prisen som ble belastet.",
  },
  not_in_show: {
    message: "Produktet ble fjernet fra showet.",
    fix: "Legg det til i showet igjen hvis det skal selges der.",
  },
  not_connected: {
    message: "Tilkoblingen til tjenesten virker ikke: ingen handlekurv får prisen fra showet.",
    fix: "Åpne tilkoblingen under Innstillinger, Livehandel: der står det hva som er galt.",
  },
  connection_trouble: {
    message: "Kall til tjenesten mislykkes, så handlekurver får kanskje ikke prisen fra showet.",
    fix: "Åpne tilkoblingen under Innstillinger, Livehandel: der står det hva som er galt.",
  },
  other_currency: {
    message:
      "Showet selger i {{show_currency}}, men regionen til tilkoblingen selger i {{currency}}: ingen handlekurv får prisen fra showet.",
    fix: "Velg en region som selger i {{show_currency}} for tilkoblingen, eller sett prisene i showet i {{currency}}.",
  },
  not_in_store: {
    message: "Produktet i showet er ikke i denne salgskanalen.",
    fix: "Legg produktet til i salgskanalen og publiser det, eller velg et annet produkt til showet.",
  },
  not_for_sale: {
    message: "Produktet selges ikke lenger i denne butikken.",
    fix: "Publiser det igjen i tilkoblingens salgskanal, eller fjern det fra showet.",
  },
  failed: {
    message: "Produktet kunne ikke sendes til tjenesten.",
    fix: "Åpne produktet i produktlisten og send det på nytt.",
  },
  not_sent_yet: {
    message: "Produktet venter på å bli sendt til tjenesten.",
    fix: "Du trenger ikke å gjøre noe: det sendes om et øyeblikk.",
  },
  no_show_price: {
    message: "Showet har ingen pris på produktet.",
    fix: "Angi en pris i showet.",
  },
  not_available: {
    message: "Tjenesten viser produktet som ikke tilgjengelig.",
    fix: "Kontroller lageret, eller gjør produktet tilgjengelig i showet.",
  },
  price_above_catalog: {
    message: "Showets pris er høyere enn prisen i butikken.",
    fix: "Senk showets pris. Eller sett innstillingen whenCatalogIsCheaper til catalog: da gjelder den laveste.",
  },
  out_of_stock: {
    message: "Produktet er utsolgt.",
    fix: "Fyll opp lageret på et av salgskanalens steder, eller ta produktet ut av showet.",
  },
  variants_out_of_stock: {
    message: "{{count}} av {{of}} varianter er utsolgt: {{variants}}.",
    fix: "Fyll opp lageret, eller vis de andre.",
  },
  no_time: {
    message: "Det står ikke når endringen skjedde, så den kan ikke settes i rekkefølge.",
    fix: "Send den på nytt fra tjenestens dashbord, eller vent: butikken synkroniserer hver natt.",
  },
  from_the_future: {
    message: "Endringen er datert senere enn meldingen ble sendt.",
    fix: "Bruk meldingen når tidspunktet er kommet. Nå ville den skjult alle senere endringer.",
  },
  ids_missing: {
    message: "Det står ikke hva den gjelder; dette mangler: {{fields}}.",
    fix: "Si fra til tjenesten og legg ved innholdet. Andre meldinger er ikke berørt.",
  },
  unknown_topic: {
    message: "Denne versjonen av utvidelsen kjenner ikke emnet «{{topic}}».",
    fix: "Oppdater utvidelsen, og bruk så meldingen på nytt.",
  },
  unknown_version: {
    message: "Innholdets versjon «{{version}}» er ukjent; denne versjonen av utvidelsen leser v1.",
    fix: "Sett webhooken til v1 i tjenesten, eller oppdater utvidelsen, og bruk så meldingen på nytt.",
  },
  not_readable: {
    message: "Det lagrede innholdet kan ikke lenger leses.",
    fix: "Rapporter feilen.",
  },
  not_applied: {
    message: "Meldingen kunne ikke brukes: {{problem}}",
    fix: "Butikken prøver automatisk igjen i et døgn; deretter kan du bruke den på nytt.",
  },
  resent: {
    message: "Den gjentar en kjent melding, bare med et annet tidspunkt.",
    fix: "Du trenger ikke å gjøre noe.",
  },
  fields_unread: {
    message: "Den ble brukt uten {{fields}}, som ikke kunne leses.",
    fix: "Si fra til tjenesten og legg ved innholdet.",
  },
  fields_missing: {
    message:
      "Den ble brukt uten {{fields}}, som den mangler: Uten status regnes et show som planlagt, uten isPublished som ikke publisert.",
    fix: "Si fra til tjenesten og legg ved innholdet. Den neste leveringen som har dem, retter det.",
  },
  alias_differs: {
    message: "{{name}} er «{{value}}», men tilhører «{{record}}».",
    fix: "Du trenger ikke å gjøre noe.",
  },
  webhook_not_registered: {
    message: "Tjenesten varsler ikke butikken om show: ingen webhook er registrert.",
    fix: "Registrer webhooken.",
  },
  webhook_key_unknown: {
    message: "Webhooken har ingen signaturnøkkel, så meldingene avvises.",
    fix: "Bytt nøkkelen, eller skriv den inn manuelt.",
  },
  webhook_warning: {
    message: "Tjenesten melder at meldinger har feilet i minst 30 minutter.",
    fix: "Kontroller at butikkens adresse kan nås utenfra. Etter 60 minutter slutter tjenesten å sende.",
  },
  webhook_disabled: {
    message: "Tjenesten har sluttet å sende fordi meldinger feilet i 60 minutter.",
    fix: "Kontroller at butikkens adresse kan nås utenfra, og registrer webhooken på nytt, eller aktiver den i tjenestens dashbord. Det som ble gått glipp av, hentes automatisk.",
  },
  webhook_missing: {
    message: "Tjenesten kjenner ikke lenger denne webhooken.",
    fix: "Registrer webhooken på nytt.",
  },
  applying_paused: {
    message: "Meldinger lagres, men brukes ikke: bruken er satt på pause.",
    fix: "Gjenoppta bruken. Ingenting går tapt i mellomtiden.",
  },
  clock_skew: {
    message: "Klokkene til butikken og tjenesten avviker med {{seconds}} sekunder.",
    fix: "Still butikkens klokke (NTP). Meldinger som avviker mer enn {{tolerance}} sekunder, avvises.",
  },
  deliveries_refused: {
    message: "Meldinger er nylig avvist, og ingen er godtatt siden.",
    fix: "Kontroller signaturnøkkelen, side-UID-en og butikkens klokke.",
  },
  deliveries_quarantined: {
    message: "Meldinger som holdes tilbake fordi de ikke kan plasseres: {{count}}.",
    fix: "Åpne «Webhook-meldinger», les årsaken og velg «Bruk på nytt».",
  },
  deliveries_unknown: {
    message: "Meldinger med et emne eller en versjon som utvidelsen ikke kjenner: {{count}}.",
    fix: "Oppdater utvidelsen, og bruk dem så på nytt.",
  },
  deliveries_failed: {
    message: "Meldinger som ikke kunne brukes: {{count}}.",
    fix: "Åpne «Webhook-meldinger», les årsaken og velg «Bruk på nytt».",
  },
  listing_incomplete: {
    message: "Tjenestens liste over show var ikke fullstendig.",
    fix: "Du trenger ikke å gjøre noe: den leses på nytt. Hvis det vedvarer, si fra til tjenesten.",
  },
  catalog_not_imported: {
    message: "Tjenesten kjenner ingen av butikkens produkter ennå.",
    fix: "Start en import.",
  },
  encryption_key_missing: {
    message: "SVC_ENCRYPTION_KEYS er ikke satt: token og nøkler kan verken lagres eller leses.",
    fix: "Sett SVC_ENCRYPTION_KEYS og start butikken på nytt; når du lagrer et token, vises kommandoen som lager en nøkkel.",
  },
  encryption_key_removed: {
    message:
      "Lagrede hemmeligheter ({{count}}) trenger en krypteringsnøkkel som ikke er i SVC_ENCRYPTION_KEYS: {{keys}}.",
    fix: "Sett nøkkelen tilbake etter den aktive, og start alle prosesser på nytt. Er den tapt, skriv inn API-tokenene igjen og forny signaturnøklene.",
  },
  encryption_key_old: {
    message:
      "Lagrede hemmeligheter ({{count}}) er kryptert med en gammel nøkkel: {{keys}}. Uten den kan de ikke leses.",
    fix: "Kjør npx medusa-plugin-svc rotate-keys --apply før du fjerner den fra SVC_ENCRYPTION_KEYS.",
  },
  worker_stuck: {
    message: "Arbeid har ventet i {{minutes}} minutter uten at noen tar det.",
    fix: "Kontroller at en prosess kjører som worker eller shared (MEDUSA_WORKER_MODE).",
  },
  orders_failed: {
    message: "Ordrer som ikke kunne rapporteres til tjenesten: {{count}}.",
    fix: "Åpne «Ordrer», les årsaken og velg «Rapporter på nytt».",
  },
  orders_delayed: {
    message:
      "Ordrer som ikke er rapportert på over en time på grunn av en feil i butikken selv: {{count}}.",
    fix: "Åpne «Ordrer» og les årsaken. De rapporteres automatisk når feilen er rettet.",
  },
  products_failed: {
    message: "Produkter som tjenesten avviste, eller som ble gitt opp: {{count}}.",
    fix: "Åpne «Produkter», les årsaken og velg «Send nå».",
  },
  core_table_changed: {
    message:
      "Denne versjonen av Medusa mangler data som utvidelsen bygger på ({{missing}}); deler av den virker ikke.",
    fix: "Oppdater medusa-plugin-svc til en versjon som støtter denne versjonen av Medusa, eller gå tilbake til den forrige.",
  },
  unexpected: {
    message: "Showene kunne ikke leses fra tjenesten.",
    fix: "Du trenger ikke å gjøre noe: butikken prøver automatisk igjen.",
  },
  invalid_url: {
    message: "Tjenestens adresse er ugyldig.",
    fix: "Skriv den som https://host/sti, uten bruker, spørring eller fragment.",
  },
  insecure_url: {
    message: "Adressen er ikke tillatt: den må være offentlig og begynne med https://.",
    fix: "Rett adressen; for webhooken setter du SVC_BACKEND_URL til butikkens https-adresse og starter butikken på nytt.",
  },
  token_required: {
    message: "Tjenestens adresse er endret.",
    fix: "Skriv inn API-tokenet på nytt, så det ikke sendes til feil adresse.",
  },
  sales_channel_not_found: {
    message: "Salgskanalen finnes ikke.",
    fix: "Velg en av butikkens salgskanaler.",
  },
  region_not_found: {
    message: "Regionen finnes ikke.",
    fix: "Velg en av butikkens regioner.",
  },
  backend_url_missing: {
    message: "Butikken kjenner ikke sin egen offentlige adresse, så ingen webhook kan registreres.",
    fix: "Sett SVC_BACKEND_URL til den, for eksempel https://shop.example.com, og start butikken på nytt.",
  },
  secret_unreadable: {
    message: "En lagret hemmelighet kan ikke dekrypteres.",
    fix: "Legg nøkkelen den ble kryptert med, tilbake i SVC_ENCRYPTION_KEYS, eller skriv inn token og signaturnøkkel på nytt.",
  },
  not_found: {
    message: "Oppføringen finnes ikke lenger.",
    fix: "Last siden på nytt.",
  },
  connection_read_only: {
    message: "Tilkoblingen er angitt i medusa-config.ts.",
    fix: "Endre den der og start butikken på nytt.",
  },
  connection_exists: {
    message: "Siden er allerede tilkoblet.",
    fix: "Endre den eksisterende tilkoblingen, eller slett den først.",
  },
  sync_running: {
    message: "En import for denne tilkoblingen pågår allerede.",
    fix: "Vent på den, eller avbryt den først.",
  },
  sync_not_running: {
    message: "Ingen import pågår.",
    fix: "Start en først.",
  },
  webhook_limit: {
    message: "Siden har allerede så mange webhooker som den kan ha, og ingen av dem er butikkens.",
    fix: "Slett en som ikke lenger brukes, i tjenestens dashbord.",
  },
  webhook_headers_unknown: {
    message: "Tjenesten har slått av webhooken, og en ny ville mangle de egne headerne.",
    fix: "Aktiver den i tjenestens dashbord, eller registrer den på nytt med headerne.",
  },
  order_not_reportable: {
    message: "Ordren er kansellert eller slettet og kan ikke rapporteres.",
    fix: "Du trenger ikke å gjøre noe.",
  },
  svc_call_failed: {
    message: "Tjenesten utførte ikke forespørselen.",
    fix: "Kontroller tilkoblingens adresse og token, og prøv igjen om litt.",
  },
} satisfies ReasonTexts

export default nb

/** What the webhook's doctor finds: codes of their own, beside those that the service may give. */
export const findings: ReasonTexts = {
  backend_url_missing: nb.backend_url_missing,
  address_not_public: {
    message:
      "Butikkens adresse {{url}} fører inn i et privat nettverk, der tjenesten ikke kan nå den.",
    fix: "Sett SVC_BACKEND_URL til en offentlig https-adresse for butikken, start butikken på nytt og registrer webhooken på nytt.",
  },
  address_insecure: {
    message:
      "Butikkens adresse {{url}} begynner ikke med https://, og tjenesten sender bare til https-adresser.",
    fix: "Sørg for at butikken kan nås med https, sett SVC_BACKEND_URL til den adressen, start butikken på nytt og registrer webhooken på nytt.",
  },
  not_registered: nb.webhook_not_registered,
  subscriber_gone: nb.webhook_missing,
  subscriber_disabled: nb.webhook_disabled,
  subscriber_warning: nb.webhook_warning,
  other_address: {
    message: "Tjenesten sender til {{registered}}, men butikken tar imot på {{expected}}.",
    fix: "Registrer webhooken på nytt: da får den riktig adresse.",
  },
  topics_missing: {
    message: "Tjenesten sender ikke disse emnene: {{topics}}.",
    fix: "Registrer webhooken på nytt uten å velge emner, så alle endringer sendes.",
  },
  other_subscribers: {
    message:
      "Siden har andre webhooker ({{count}}): {{names}}. Hver av dem får egne meldinger, signert med sin egen nøkkel. En side kan ha {{limit}} til sammen.",
    fix: "Du trenger ikke å gjøre noe. Hvis en av dem er en gammel webhook fra denne butikken, slett den i tjenestens dashbord.",
  },
  service_unreachable: {
    message: "Tjenesten kunne ikke spørres om webhooken: {{problem}}",
    fix: "Kontroller tilkoblingens adresse og token.",
  },
  key_missing: nb.webhook_key_unknown,
  key_unreadable: {
    message: "Signaturnøkkelen er lagret, men kan ikke dekrypteres her.",
    fix: "Legg nøkkelen den ble kryptert med, tilbake i SVC_ENCRYPTION_KEYS, eller bytt signaturnøkkelen.",
  },
  not_reached: {
    message: "Butikkens egen adresse svarte ikke: {{problem}}",
    fix: "Åpne {{url}} fra et annet nettverk. Hvis den ikke svarer der heller, kontroller DNS, brannmur og proxy.",
  },
  not_this_store: {
    message:
      "{{url}} svarer {{status}}, men svaret kommer ikke fra denne utvidelsen: noe foran butikken svarer i stedet.",
    fix: "Still inn proxyen eller webhotellet slik at POST-forespørsler til /hooks/svc/ når butikken uten innlogging og uendret.",
  },
  body_limit: {
    message: "Noe foran butikken avviser forespørsler på {{bytes}} byte ({{status}}).",
    fix: "Øk i proxyen grensen for hvor store forespørsler til /hooks/svc/ kan være, til 1 MiB (nginx: client_max_body_size).",
  },
  body_changed: {
    message:
      "En forespørsel som butikken selv signerte, var ikke lenger gyldig etter at den hadde gått via {{url}}: noe endrer den underveis.",
    fix: "Slå av det som endrer innhold eller headere i forespørsler til /hooks/svc/ (en brannmur som renser JSON, eller en gateway som skriver det om).",
  },
  signature_stripped: {
    message: "Forespørsler som kom uten signaturens headere: {{count}}, sist {{last_at}}.",
    fix: "Still inn proxyen slik at den sender headerne X-Svc-Signature og X-Svc-Timestamp videre. Forespørsler fra fremmede ser like ut: endre bare noe hvis ingen meldinger godtas.",
  },
  wrong_key: {
    message:
      "Forespørsler som var signert med en annen nøkkel eller ble endret underveis: {{count}}, sist {{last_at}}.",
    fix: "Bytt nøkkelen, eller skriv inn den som tjenestens dashbord viste.",
  },
  clock: {
    message:
      "Riktig signerte meldinger som ble avvist som for gamle eller for tidlige: {{count}}, den siste med {{seconds}} sekunder.",
    fix: "Still butikkens klokke (NTP). Hvis en gateway holder meldinger tilbake, sett SVC_WEBHOOK_TOLERANCE_SECONDS til den tiden det kan ta.",
  },
  wrong_page: {
    message: "Riktig signerte meldinger som gjaldt en annen side enn {{page}}: {{count}}.",
    fix: "Kontroller side-UID-en i tilkoblingens innstillinger.",
  },
  wrong_type: {
    message:
      "Forespørsler der innholdstypen eller kodingen ikke var vanlig JSON: {{count}}, sist {{last_at}}.",
    fix: "Still inn proxyen slik at den sender innholdet videre uendret, uten å komprimere eller omforme det.",
  },
  too_large: {
    message: "Forespørsler som var større enn {{bytes}} byte: {{count}}, sist {{last_at}}.",
    fix: "Øk SVC_WEBHOOK_MAX_BYTES hvis tjenesten sender så store meldinger.",
  },
  store_overloaded: {
    message:
      "Meldinger som butikken ikke kunne ta imot i tide og ba om å få på nytt senere: {{count}}, sist {{last_at}}.",
    fix: "Kontroller databasen: svartidene, disken og antall tilkoblinger.",
  },
  silent: {
    message: "Ingen melding har kommet siden {{last_at}}.",
    fix: "Velg «Vent på en test» her, og send så testen i tjenestens webhook-innstillinger.",
  },
  never_heard: {
    message: "Ingen melding har kommet siden webhooken ble registrert.",
    fix: "Velg «Vent på en test» her, og send så testen i tjenestens webhook-innstillinger.",
  },
  applying_paused: nb.applying_paused,
  well: {
    message: "Meldinger kommer frem og har riktig signatur, sist {{last_at}}.",
    fix: "Du trenger ikke å gjøre noe.",
  },
}
