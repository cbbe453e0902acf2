import type { ReasonTexts } from "../texts"

const da = {
  channel_closed: {
    message: "Salgskanalen er slået fra eller slettet, så intet i den er til salg.",
    fix: "Slå den til, eller vælg en anden.",
  },
  region_gone: { message: "Regionen findes ikke mere.", fix: "Vælg en anden region." },
  no_products: {
    message: "Salgskanalen har ingen offentliggjorte varer.",
    fix: "Offentliggør en vare i den, eller vælg en anden salgskanal.",
  },
  no_prices: {
    message: "Ingen vare i salgskanalen har en pris i {{currency}}.",
    fix: "Vælg den region, hvis valuta dine priser er i, eller tilføj priser i denne valuta.",
  },
  storefront_unreachable: {
    message: "Butikken svarede ikke ({{problem}}).",
    fix: "Åbn adressen i en browser. Åbner den dér, så kontrollér, at butikkens server også kan nå den.",
  },
  not_the_service: {
    message: "Noget svarer på tjenestens adresse, men det er ikke tjenestens API.",
    fix: "Indtast adressen fra sidens API-indstillinger.",
  },
  storefront_refused: {
    message: "Butikken svarede med HTTP-status {{status}}.",
    fix: "Indtast den adresse, som kunderne åbner.",
  },
  storefront_private: {
    message: "Butikkens adresse fører ind i et privat netværk, hvor kunderne ikke kan åbne den.",
    fix: "Indtast den offentlige adresse. Under udvikling: sæt SVC_ALLOW_INSECURE_URLS=true, og genstart butikken.",
  },
  nothing_sent: {
    message: "Importen sluttede, men tjenesten har ingen af varerne.",
    fix: "Åbn listen over varer: ved hver står årsagen.",
  },
  import_ended: { message: "Importen blev ikke kørt til ende.", fix: "Start den igen." },
  delivery_refused: {
    message: "En besked kom frem og blev afvist med HTTP-status {{status}}.",
    fix: 'Vælg "Find årsagen" på forbindelsens side.',
  },
  campaign_ended: {
    message: "Showet er aflyst eller slettet, eller dets frist er udløbet: intet i det sælges.",
    fix: "Flyt kampagnens frist, eller brug et show, der stadig er åbent.",
  },
  undeclared: {
    message:
      "Denne forbindelse stod i medusa-config.ts og står der ikke længere. Dens arbejde venter.",
    fix: "Skriv den ind igen og genstart butikken, indtast et API-token for at administrere den her, eller slet den.",
  },
  svc_unreachable: {
    message: "Tjenesten kan ikke nås på sin adresse.",
    fix: "Kontrollér tjenestens adresse i forbindelsens indstillinger. Butikken prøver automatisk igen.",
  },
  svc_timeout: {
    message: "Tjenesten svarede ikke i tide.",
    fix: "Du skal ikke gøre noget: butikken prøver automatisk igen.",
  },
  svc_unavailable: {
    message: "Tjenesten har problemer lige nu.",
    fix: "Du skal ikke gøre noget: butikken prøver automatisk igen.",
  },
  svc_rate_limited: {
    message: "Tjenesten har fået for mange forespørgsler og beder om en pause.",
    fix: "Du skal ikke gøre noget: butikken venter så længe, som tjenesten beder om, og fortsætter.",
  },
  svc_unauthorized: {
    message: "Tjenesten godtager ikke API-tokenet.",
    fix: "Lav et nyt API-token i sidens indstillinger i tjenesten, og indsæt det i forbindelsen.",
  },
  svc_not_found: {
    message: "Tjenesten kender ikke det, der blev spurgt om.",
    fix: "Kontrollér, at kampagnen eller posten stadig findes i tjenesten.",
  },
  svc_rejected: {
    message: "Tjenesten afviste de sendte data.",
    fix: "Læs tjenestens svar, og ret dataene; derefter sendes der igen.",
  },
  svc_unreadable: {
    message: "Tjenesten svarede i en form, som denne version ikke kender.",
    fix: "Opdater pluginet, eller rapportér fejlen.",
  },
  svc_paused: {
    message: "Efter flere fejl i træk holder butikken en kort pause.",
    fix: "Du skal ikke gøre noget: butikken prøver igen bagefter.",
  },
  svc_insecure: {
    message:
      "Tjenestens adresse begynder ikke med https:// eller fører ind i et privat netværk, så butikken kalder den ikke.",
    fix: "Angiv en adresse, der begynder med https:// og ikke ligger i et privat netværk. Til udvikling: sæt SVC_ALLOW_INSECURE_URLS=true, og genstart butikken.",
  },
  no_variants: {
    message: "Produktet har ingen variant og dermed ingen pris, så det kan ikke sælges.",
    fix: "Tilføj en variant med en pris.",
  },
  no_price: {
    message: 'Ingen variant har en pris i {{currency}}, som er valutaen i regionen "{{region}}".',
    fix: "Tilføj en pris i {{currency}} til varianterne.",
  },
  variants_without_price: {
    message:
      "Produktet er i tjenesten, men uden de varianter, der ikke har en pris i {{currency}}: {{variants}}.",
    fix: "Tilføj en pris i {{currency}} til disse varianter.",
  },
  zero_price: {
    message: "Produktet er i tjenesten med prisen 0: {{variants}}.",
    fix: "Angiv en pris i {{currency}}, medmindre det skal være gratis.",
  },
  image_unusable: {
    message: "Produktet er i tjenesten, men uden billeder med en ugyldig adresse: {{images}}.",
    fix: "Upload billederne igen, eller ret deres adresser.",
  },
  incomplete: {
    message: "Produktet mangler oplysninger, som tjenesten kræver ({{fields}}).",
    fix: "Udfyld produktet; så sendes det automatisk.",
  },
  not_published: {
    message: "Produktet er ikke udgivet, så det sælges ikke i tjenesten.",
    fix: "Udgiv produktet, hvis det skal sælges.",
  },
  not_in_channel: {
    message: "Produktet er ikke i forbindelsens salgskanal.",
    fix: "Føj det til salgskanalen, hvis det skal sælges dér.",
  },
  channel_disabled: {
    message: "Forbindelsens salgskanal er slået fra eller slettet, så intet sælges.",
    fix: "Slå salgskanalen til, eller vælg en anden i forbindelsens indstillinger.",
  },
  excluded: {
    message: "Forbindelsens indstillinger udelader dette produkt ({{rule}}).",
    fix: "Skift i forbindelsens indstillinger, hvilke produkter der sendes, hvis det skal sælges dér.",
  },
  excluded_by_mapper: {
    message: "Butikkens egen mapProduct udelader dette produkt.",
    fix: "Ret mapProduct i medusa-config.ts, hvis produktet skal sælges dér.",
  },
  mapper_failed: {
    message: "Butikkens egen mapProduct fejlede for dette produkt: {{problem}}.",
    fix: "Ret mapProduct i medusa-config.ts, og genstart butikken.",
  },
  unreadable: {
    message: "Produktet kunne ikke omsættes til tjenestens form: {{problem}}.",
    fix: "Se, hvad der er usædvanligt ved produktet, og rapportér fejlen.",
  },
  deleted: {
    message: "Produktet blev slettet i butikken.",
    fix: "Du skal ikke gøre noget.",
  },
  region_missing: {
    message: "Forbindelsens region findes ikke længere, så ingen pris kan læses.",
    fix: "Vælg en region i forbindelsens indstillinger.",
  },
  store_error: {
    message: "Produktet kunne ikke læses fra butikken: {{problem}}",
    fix: "Du skal ikke gøre noget: butikken prøver automatisk igen. Hvis det fortsætter, så se i butikkens log.",
  },
  import_failed: {
    message:
      "Importen blev opgivet et døgn efter starten, fordi butikkens produkter ikke kunne læses: {{problem}}",
    fix: "Se i butikkens log og database, og start så importen igen.",
  },
  product_too_large: {
    message: "Produktet er for stort til tjenesten, selv når det sendes alene.",
    fix: "Forkort teksterne, eller fjern billeder eller varianter.",
  },
  product_fails_alone: {
    message:
      "Andre produkter bliver godtaget, men ikke dette. Butikken prøver igen i et døgn med stadig længere mellemrum.",
    fix: "Hvis det fortsætter, så se, hvad der er usædvanligt ved produktet, og fortæl det til tjenesten.",
  },
  given_up: {
    message: "Butikken gav op efter 24 timer.",
    fix: 'Produkter prøves igen hver nat. "Send nu", "Indberet igen" eller "Anvend igen" prøver med det samme.',
  },
  endpoint_refuses: {
    message:
      "Tjenesten tager ikke imod produkter på denne adresse ({{status}}), så der sendes intet lige nu.",
    fix: "Kontrollér tjenestens adresse, og hvad dit abonnement omfatter. Butikken prøver igen hvert minut.",
  },
  most_refused: {
    message: "Tjenesten afviser det meste af det, der sendes, så butikken holder pause.",
    fix: "Ret det, tjenesten påpeger. Butikken prøver nogle få produkter igen hvert minut.",
  },
  service_fails: {
    message: "Der kan ikke sendes noget lige nu.",
    fix: "Du skal ikke gøre noget: butikken prøver igen mindst hvert minut.",
  },
  slow_down: {
    message: "Tjenesten beder om lavere tempo, så butikken venter, så længe den beder om.",
    fix: "Du skal ikke gøre noget: derefter sendes der lidt langsommere.",
  },
  payment_not_authorised: {
    message: "Ordrens betaling er ikke godkendt endnu.",
    fix: "Du skal ikke gøre noget: ordren indberettes, når betalingen kommer.",
  },
  payment_not_captured: {
    message: "Ordrens betaling er ikke hævet endnu, og ordrer indberettes først, når den er.",
    fix: "Hæv betalingen, eller indstil, at ordrer indberettes, når de afgives.",
  },
  consent_missing: {
    message: "Kunden har ikke givet samtykke til, at ordren indberettes til tjenesten.",
    fix: "Du skal ikke gøre noget, medmindre webshoppen burde have spurgt: den sætter svc_consent på kurven.",
  },
  order_cancelled: {
    message: "Ordren blev annulleret, før den blev indberettet.",
    fix: "Du skal ikke gøre noget.",
  },
  order_deleted: {
    message: "Ordren findes ikke længere.",
    fix: "Du skal ikke gøre noget.",
  },
  email_excluded: {
    message: "Ordrer med en e-mailadresse som {{pattern}} indberettes ikke.",
    fix: "Du skal ikke gøre noget. Eller skift de udeladte adresser, og indberet ordren.",
  },
  sales_channel_excluded: {
    message: "Ordrer i denne salgskanal indberettes ikke.",
    fix: "Du skal ikke gøre noget. Eller skift de udeladte salgskanaler, og indberet ordren.",
  },
  draft_order: {
    message: "Ordren er en kladde.",
    fix: "Du skal ikke gøre noget.",
  },
  test_order: {
    message: "Ordren er markeret som test (svc_test i metadata).",
    fix: "Du skal ikke gøre noget. Fjern markeringen, hvis det er en rigtig ordre, og indberet den.",
  },
  no_show_lines: {
    message: "Intet i ordren blev solgt til showets pris, og sådanne ordrer indberettes ikke.",
    fix: "Du skal ikke gøre noget. Eller indstil, at sådanne ordrer også indberettes.",
  },
  order_half_placed: {
    message:
      "Medusa blev afbrudt, mens ordren blev oprettet: den har ingen kurv og måske ingen betaling. Kunden kan have bestilt igen.",
    fix: "Find betalingen hos din betalingsudbyder. Er ordren betalt, så indberet den her; ellers annullér den.",
  },
  waited_too_long: {
    message: "Det, indberetningen ventede på, kom ikke inden for fristen ({{days}} dage).",
    fix: "Du skal ikke gøre noget. Indberet ordren, hvis den alligevel skal tælle i tjenesten.",
  },
  order_conflict: {
    message:
      "Tjenesten afviste den første indberetning af dette ordrenummer som en konflikt (409).",
    fix: "Spørg tjenestens support, hvad nummeret hører til. Indberet ordren igen, når det er frit.",
  },
  order_number_used: {
    message: "En anden ordre er allerede indberettet med dette ordrenummer.",
    fix: "Du skal ikke gøre noget, medmindre den anden ordre var en fejl. Denne tæller i dine resultater.",
  },
  order_number_shared: {
    message:
      "Tjenesten gav ét ordrenummer for flere kampagner, og denne ordre er allerede indberettet med det.",
    fix: "Du skal ikke gøre noget. Det solgte tæller i resultaterne for hver kampagne.",
  },
  connection_not_found: {
    message: "Forbindelsen findes ikke længere; den er slettet.",
    fix: "Genindlæs siden. Hvis en ordre skal tælle for showet, så giv tjenesten direkte besked.",
  },
  report_fields_failed: {
    message: "Butikkens egen reportFields fejlede: {{problem}}",
    fix: "Ret reportFields i medusa-config.ts. Ordren indberettes så automatisk igen.",
  },
  report_store_error: {
    message:
      "Ordren kunne ikke indberettes på grund af en fejl i butikkens egen database: {{problem}}",
    fix: "Du skal ikke gøre noget: butikken prøver automatisk igen. Hvis det fortsætter, så kontrollér butikkens database.",
  },
  price_differs: {
    message: "En enhed blev solgt til {{charged}}, men showets pris var {{proven}}.",
    fix: "Kontrollér ordren. Et andet plugin eller en manuel ændring kan have sat prisen.",
  },
  tax_basis_differs: {
    message: "Showets pris havde et andet momsgrundlag end det, linjen blev solgt med.",
    fix: "Kontrollér momsen på ordren.",
  },
  price_expired: {
    message: "Showets pris gjaldt ikke længere, da ordren blev afgivet.",
    fix: "Du skal ikke gøre noget, medmindre du ikke vil sælge til den pris: betalingsudbyderen afgav ordren, efter at kunden havde forladt kassen.",
  },
  campaign_over: {
    message: "Showet var slut, da ordren blev afgivet.",
    fix: "Du skal ikke gøre noget, medmindre du ikke vil sælge til den pris.",
  },
  price_unproven: {
    message: "Linjen er markeret som solgt i et show, men der er intet bevis for prisen.",
    fix: "Kontrollér den pris, der blev betalt.",
  },
  not_in_show: {
    message: "Produktet blev fjernet fra showet.",
    fix: "Føj det til showet igen, hvis det skal sælges dér.",
  },
  not_connected: {
    message: "Forbindelsen til tjenesten virker ikke: ingen kurv får showets pris.",
    fix: "Åbn forbindelsen under Indstillinger, Livehandel: den siger, hvad der er galt.",
  },
  connection_trouble: {
    message: "Kald til tjenesten mislykkes, så kurve måske ikke får showets pris.",
    fix: "Åbn forbindelsen under Indstillinger, Livehandel: den siger, hvad der er galt.",
  },
  other_currency: {
    message:
      "Showet sælger i {{show_currency}}, men forbindelsens region sælger i {{currency}}: ingen kurv får showets pris.",
    fix: "Vælg en region til forbindelsen, der sælger i {{show_currency}}, eller sæt showets priser i {{currency}}.",
  },
  not_in_store: {
    message: "Showets produkt er ikke i denne salgskanal.",
    fix: "Føj produktet til salgskanalen, og udgiv det, eller vælg et andet produkt til showet.",
  },
  not_for_sale: {
    message: "Produktet sælges ikke længere i denne butik.",
    fix: "Udgiv det igen i forbindelsens salgskanal, eller fjern det fra showet.",
  },
  failed: {
    message: "Produktet kunne ikke sendes til tjenesten.",
    fix: "Åbn produktet i produktlisten, og send det igen.",
  },
  not_sent_yet: {
    message: "Produktet venter på at blive sendt til tjenesten.",
    fix: "Du skal ikke gøre noget: det sendes om et øjeblik.",
  },
  no_show_price: {
    message: "Showet har ingen pris på produktet.",
    fix: "Angiv en pris i showet.",
  },
  not_available: {
    message: "Tjenesten viser produktet som ikke tilgængeligt.",
    fix: "Kontrollér lageret, eller gør produktet tilgængeligt i showet.",
  },
  price_above_catalog: {
    message: "Showets pris er højere end prisen i butikken.",
    fix: "Sænk showets pris. Eller sæt indstillingen whenCatalogIsCheaper til catalog: så gælder den laveste.",
  },
  out_of_stock: {
    message: "Produktet er udsolgt.",
    fix: "Fyld lageret op på en af salgskanalens lokationer, eller tag produktet ud af showet.",
  },
  variants_out_of_stock: {
    message: "{{count}} af {{of}} varianter er udsolgt: {{variants}}.",
    fix: "Fyld lageret op, eller vis de andre.",
  },
  no_time: {
    message: "Det fremgår ikke, hvornår ændringen skete, så den kan ikke sættes i rækkefølge.",
    fix: "Send den igen fra tjenestens dashboard, eller vent: butikken synkroniserer hver nat.",
  },
  from_the_future: {
    message: "Ændringen er dateret senere, end beskeden blev sendt.",
    fix: "Anvend beskeden, når tidspunktet er nået. Nu ville den skjule alle senere ændringer.",
  },
  ids_missing: {
    message: "Det fremgår ikke, hvad den handler om; der mangler: {{fields}}.",
    fix: "Fortæl det til tjenesten, og vedlæg indholdet. Andre beskeder er ikke berørt.",
  },
  unknown_topic: {
    message: 'Denne version af pluginet kender ikke emnet "{{topic}}".',
    fix: "Opdater pluginet, og anvend så beskeden igen.",
  },
  unknown_version: {
    message: 'Indholdets version "{{version}}" er ukendt; denne version af pluginet læser v1.',
    fix: "Sæt webhooken til v1 i tjenesten, eller opdater pluginet, og anvend så beskeden igen.",
  },
  not_readable: {
    message: "Det gemte indhold kan ikke længere læses.",
    fix: "Rapportér fejlen.",
  },
  not_applied: {
    message: "Beskeden kunne ikke anvendes: {{problem}}",
    fix: "Butikken prøver automatisk igen i et døgn; derefter kan du anvende den igen.",
  },
  resent: {
    message: "Den gentager en kendt besked, blot med et andet tidspunkt.",
    fix: "Du skal ikke gøre noget.",
  },
  fields_unread: {
    message: "Den blev anvendt uden {{fields}}, som ikke kunne læses.",
    fix: "Fortæl det til tjenesten, og vedlæg indholdet.",
  },
  fields_missing: {
    message:
      "Den blev anvendt uden {{fields}}, som den mangler: Uden status tæller et show som planlagt, uden isPublished som ikke offentliggjort.",
    fix: "Fortæl det til tjenesten, og vedlæg indholdet. Den næste levering, der har dem, retter det.",
  },
  alias_differs: {
    message: '{{name}} er "{{value}}", men hører til "{{record}}".',
    fix: "Du skal ikke gøre noget.",
  },
  webhook_not_registered: {
    message: "Tjenesten fortæller ikke butikken om shows: der er ikke registreret nogen webhook.",
    fix: "Registrer webhooken.",
  },
  webhook_key_unknown: {
    message: "Webhooken har ingen signaturnøgle, så dens beskeder afvises.",
    fix: "Skift nøglen, eller indtast den manuelt.",
  },
  webhook_warning: {
    message: "Tjenesten melder, at beskeder er fejlet i mindst 30 minutter.",
    fix: "Kontrollér, at butikkens adresse kan nås udefra. Efter 60 minutter holder tjenesten op med at sende.",
  },
  webhook_disabled: {
    message: "Tjenesten er holdt op med at sende, fordi beskeder fejlede i 60 minutter.",
    fix: "Kontrollér, at butikkens adresse kan nås udefra, og registrer webhooken igen, eller aktivér den i tjenestens dashboard. Det, der blev misset, hentes automatisk.",
  },
  webhook_missing: {
    message: "Tjenesten kender ikke længere denne webhook.",
    fix: "Registrer webhooken igen.",
  },
  applying_paused: {
    message: "Beskeder gemmes, men anvendes ikke: anvendelsen er sat på pause.",
    fix: "Genoptag anvendelsen. Intet går tabt imens.",
  },
  clock_skew: {
    message: "Butikkens og tjenestens ure er {{seconds}} sekunder fra hinanden.",
    fix: "Stil butikkens ur (NTP). Beskeder, der afviger mere end {{tolerance}} sekunder, afvises.",
  },
  deliveries_refused: {
    message: "Beskeder er blevet afvist for nylig, og ingen er godtaget siden.",
    fix: "Kontrollér signaturnøglen, side-UID'et og butikkens ur.",
  },
  deliveries_quarantined: {
    message: "Beskeder, der er holdt tilbage, fordi de ikke kan placeres: {{count}}.",
    fix: 'Åbn "Webhook-beskeder", læs årsagen, og vælg "Anvend igen".',
  },
  deliveries_unknown: {
    message: "Beskeder med et emne eller en version, som pluginet ikke kender: {{count}}.",
    fix: "Opdater pluginet, og anvend dem så igen.",
  },
  deliveries_failed: {
    message: "Beskeder, der ikke kunne anvendes: {{count}}.",
    fix: 'Åbn "Webhook-beskeder", læs årsagen, og vælg "Anvend igen".',
  },
  listing_incomplete: {
    message: "Tjenestens liste over shows var ikke fuldstændig.",
    fix: "Du skal ikke gøre noget: den læses igen. Hvis det fortsætter, så fortæl det til tjenesten.",
  },
  catalog_not_imported: {
    message: "Tjenesten kender endnu ingen af butikkens produkter.",
    fix: "Start en import.",
  },
  encryption_key_missing: {
    message: "SVC_ENCRYPTION_KEYS er ikke sat: token og nøgler kan hverken gemmes eller læses.",
    fix: "Sæt SVC_ENCRYPTION_KEYS, og genstart butikken; når du gemmer et token, vises kommandoen, der laver en nøgle.",
  },
  encryption_key_removed: {
    message:
      "Gemte hemmeligheder ({{count}}) kræver en krypteringsnøgle, der ikke er i SVC_ENCRYPTION_KEYS: {{keys}}.",
    fix: "Sæt nøglen tilbage efter den aktive, og genstart alle processer. Er den tabt, så indtast API-tokens igen og forny signaturnøglerne.",
  },
  encryption_key_old: {
    message:
      "Gemte hemmeligheder ({{count}}) er krypteret med en gammel nøgle: {{keys}}. Uden den kan de ikke læses.",
    fix: "Kør npx medusa-plugin-svc rotate-keys --apply, før du fjerner den fra SVC_ENCRYPTION_KEYS.",
  },
  worker_stuck: {
    message: "Arbejde har ventet i {{minutes}} minutter, uden at nogen tager det.",
    fix: "Kontrollér, at en proces kører som worker eller shared (MEDUSA_WORKER_MODE).",
  },
  orders_failed: {
    message: "Ordrer, der ikke kunne indberettes til tjenesten: {{count}}.",
    fix: 'Åbn "Ordrer", læs årsagen, og vælg "Indberet igen".',
  },
  orders_delayed: {
    message:
      "Ordrer, der i over en time ikke er indberettet på grund af en fejl i butikken selv: {{count}}.",
    fix: 'Åbn "Ordrer", og læs årsagen. De indberettes automatisk, når fejlen er rettet.',
  },
  products_failed: {
    message: "Produkter, som tjenesten afviste, eller som blev opgivet: {{count}}.",
    fix: 'Åbn "Produkter", læs årsagen, og vælg "Send nu".',
  },
  core_table_changed: {
    message:
      "Denne version af Medusa mangler data, som pluginet bygger på ({{missing}}); en del af det virker ikke.",
    fix: "Opdater medusa-plugin-svc til en version, der understøtter denne version af Medusa, eller gå tilbage til den forrige.",
  },
  unexpected: {
    message: "Shows kunne ikke læses fra tjenesten.",
    fix: "Du skal ikke gøre noget: butikken prøver automatisk igen.",
  },
  invalid_url: {
    message: "Tjenestens adresse er ugyldig.",
    fix: "Skriv den som https://host/sti uden bruger, forespørgsel eller fragment.",
  },
  insecure_url: {
    message: "Adressen er ikke tilladt: den skal være offentlig og begynde med https://.",
    fix: "Ret adressen; for webhooken sættes SVC_BACKEND_URL til butikkens https-adresse, og butikken genstartes.",
  },
  token_required: {
    message: "Tjenestens adresse er ændret.",
    fix: "Indtast API-tokenet igen, så det ikke sendes til en forkert adresse.",
  },
  sales_channel_not_found: {
    message: "Salgskanalen findes ikke.",
    fix: "Vælg en af butikkens salgskanaler.",
  },
  region_not_found: {
    message: "Regionen findes ikke.",
    fix: "Vælg en af butikkens regioner.",
  },
  backend_url_missing: {
    message:
      "Butikken kender ikke sin egen offentlige adresse, så der kan ikke registreres nogen webhook.",
    fix: "Sæt SVC_BACKEND_URL til den, for eksempel https://shop.example.com, og genstart butikken.",
  },
  secret_unreadable: {
    message: "En gemt hemmelighed kan ikke dekrypteres.",
    fix: "Sæt den nøgle, den blev krypteret med, ind i SVC_ENCRYPTION_KEYS igen, eller indtast token og signaturnøgle på ny.",
  },
  not_found: {
    message: "Posten findes ikke længere.",
    fix: "Genindlæs siden.",
  },
  connection_read_only: {
    message: "Forbindelsen er angivet i medusa-config.ts.",
    fix: "Ret den dér, og genstart butikken.",
  },
  connection_exists: {
    message: "Siden er allerede forbundet.",
    fix: "Ret den eksisterende forbindelse, eller slet den først.",
  },
  sync_running: {
    message: "En import af denne forbindelse er allerede i gang.",
    fix: "Vent på den, eller annullér den først.",
  },
  sync_not_running: {
    message: "Der kører ingen import.",
    fix: "Start en først.",
  },
  webhook_limit: {
    message: "Siden har allerede så mange webhooks, som den må have, og ingen af dem er butikkens.",
    fix: "Slet en, der ikke længere bruges, i tjenestens dashboard.",
  },
  webhook_headers_unknown: {
    message: "Tjenesten har slået webhooken fra, og en ny ville mangle dens egne headere.",
    fix: "Aktivér den i tjenestens dashboard, eller registrer den igen med headerne.",
  },
  order_not_reportable: {
    message: "Ordren er annulleret eller slettet og kan ikke indberettes.",
    fix: "Du skal ikke gøre noget.",
  },
  svc_call_failed: {
    message: "Tjenesten udførte ikke forespørgslen.",
    fix: "Kontrollér forbindelsens adresse og token, og prøv igen om lidt.",
  },
} satisfies ReasonTexts

export default da

/** What the webhook's doctor finds: codes of their own, beside those that the service may give. */
export const findings: ReasonTexts = {
  backend_url_missing: da.backend_url_missing,
  address_not_public: {
    message:
      "Butikkens adresse {{url}} fører ind i et privat netværk, hvor tjenesten ikke kan nå den.",
    fix: "Sæt SVC_BACKEND_URL til en offentlig https-adresse for butikken, genstart butikken, og registrer webhooken igen.",
  },
  address_insecure: {
    message:
      "Butikkens adresse {{url}} begynder ikke med https://, og tjenesten sender kun til https-adresser.",
    fix: "Sørg for, at butikken kan nås med https, sæt SVC_BACKEND_URL til den adresse, genstart butikken, og registrer webhooken igen.",
  },
  not_registered: da.webhook_not_registered,
  subscriber_gone: da.webhook_missing,
  subscriber_disabled: da.webhook_disabled,
  subscriber_warning: da.webhook_warning,
  other_address: {
    message: "Tjenesten sender til {{registered}}, men butikken modtager på {{expected}}.",
    fix: "Registrer webhooken igen: så får den den rigtige adresse.",
  },
  topics_missing: {
    message: "Tjenesten sender ikke disse emner: {{topics}}.",
    fix: "Registrer webhooken igen uden at vælge emner, så alle ændringer sendes.",
  },
  other_subscribers: {
    message:
      "Siden har andre webhooks ({{count}}): {{names}}. Hver af dem får sine egne beskeder, signeret med sin egen nøgle. En side må have {{limit}} i alt.",
    fix: "Du skal ikke gøre noget. Er en af dem en gammel webhook fra denne butik, så slet den i tjenestens dashboard.",
  },
  service_unreachable: {
    message: "Tjenesten kunne ikke spørges om webhooken: {{problem}}",
    fix: "Kontrollér forbindelsens adresse og token.",
  },
  key_missing: da.webhook_key_unknown,
  key_unreadable: {
    message: "Signaturnøglen er gemt, men kan ikke dekrypteres her.",
    fix: "Sæt den nøgle, den blev krypteret med, ind i SVC_ENCRYPTION_KEYS igen, eller skift signaturnøglen.",
  },
  not_reached: {
    message: "Butikkens egen adresse svarede ikke: {{problem}}",
    fix: "Åbn {{url}} fra et andet netværk. Svarer den heller ikke dér, så kontrollér DNS, firewall og proxy.",
  },
  not_this_store: {
    message:
      "{{url}} svarer {{status}}, men svaret kommer ikke fra dette plugin: noget foran butikken svarer i stedet.",
    fix: "Indstil din proxy eller hosting, så POST-forespørgsler til /hooks/svc/ når frem til butikken uden login og uændrede.",
  },
  body_limit: {
    message: "Noget foran butikken afviser forespørgsler på {{bytes}} bytes ({{status}}).",
    fix: "Hæv i din proxy grænsen for størrelsen af forespørgsler til /hooks/svc/ til 1 MiB (nginx: client_max_body_size).",
  },
  body_changed: {
    message:
      "En forespørgsel, som butikken selv signerede, var ikke længere gyldig efter turen gennem {{url}}: noget ændrer den undervejs.",
    fix: "Slå det fra, der ændrer indhold eller headere i forespørgsler til /hooks/svc/ (en firewall, der renser JSON, eller en gateway, der omskriver det).",
  },
  signature_stripped: {
    message: "Forespørgsler, der kom uden signaturens headere: {{count}}, senest {{last_at}}.",
    fix: "Indstil din proxy, så den sender headerne X-Svc-Signature og X-Svc-Timestamp videre. Forespørgsler fra fremmede ser ens ud: ret kun noget, hvis ingen beskeder godtages.",
  },
  wrong_key: {
    message:
      "Forespørgsler, der var signeret med en anden nøgle eller blev ændret undervejs: {{count}}, senest {{last_at}}.",
    fix: "Skift nøglen, eller indtast den, som tjenestens dashboard viste.",
  },
  clock: {
    message:
      "Rigtigt signerede beskeder, der blev afvist som for gamle eller for tidlige: {{count}}, den seneste med {{seconds}} sekunder.",
    fix: "Stil butikkens ur (NTP). Hvis en gateway holder beskeder tilbage, så sæt SVC_WEBHOOK_TOLERANCE_SECONDS til den tid, det må tage.",
  },
  wrong_page: {
    message: "Rigtigt signerede beskeder, der var til en anden side end {{page}}: {{count}}.",
    fix: "Kontrollér side-UID'et i forbindelsens indstillinger.",
  },
  wrong_type: {
    message:
      "Forespørgsler, hvis indholdstype eller kodning ikke var almindelig JSON: {{count}}, senest {{last_at}}.",
    fix: "Indstil din proxy, så den sender indholdet videre uændret, uden at komprimere eller omforme det.",
  },
  too_large: {
    message: "Forespørgsler, der var større end {{bytes}} bytes: {{count}}, senest {{last_at}}.",
    fix: "Hæv SVC_WEBHOOK_MAX_BYTES, hvis tjenesten sender så store beskeder.",
  },
  store_overloaded: {
    message:
      "Beskeder, som butikken ikke kunne tage imod i tide og bad om at få igen senere: {{count}}, senest {{last_at}}.",
    fix: "Kontrollér databasen: dens svartider, dens disk og antallet af forbindelser.",
  },
  silent: {
    message: "Der er ikke kommet nogen besked siden {{last_at}}.",
    fix: 'Vælg "Vent på en test" her, og send så testen i tjenestens webhook-indstillinger.',
  },
  never_heard: {
    message: "Der er ikke kommet nogen besked, siden webhooken blev registreret.",
    fix: 'Vælg "Vent på en test" her, og send så testen i tjenestens webhook-indstillinger.',
  },
  applying_paused: da.applying_paused,
  well: {
    message: "Beskeder kommer frem og har den rigtige signatur, senest {{last_at}}.",
    fix: "Du skal ikke gøre noget.",
  },
}
