import type { ReasonTexts } from "../texts"

const sv = {
  channel_closed: {
    message: "Försäljningskanalen är avstängd eller borttagen, så inget i den är till salu.",
    fix: "Slå på den eller välj en annan.",
  },
  region_gone: { message: "Regionen finns inte längre.", fix: "Välj en annan region." },
  no_products: {
    message: "Försäljningskanalen har ingen publicerad produkt.",
    fix: "Publicera en produkt i den eller välj en annan försäljningskanal.",
  },
  no_prices: {
    message: "Ingen produkt i försäljningskanalen har ett pris i {{currency}}.",
    fix: "Välj regionen vars valuta dina priser är i, eller lägg till priser i den valutan.",
  },
  storefront_unreachable: {
    message: "Butiken svarade inte ({{problem}}).",
    fix: "Öppna adressen i en webbläsare. Om den öppnas där, kontrollera att även butikens server når den.",
  },
  not_the_service: {
    message: "Något svarar på tjänstens adress, men det är inte tjänstens API.",
    fix: "Ange adressen från sidans API-inställningar.",
  },
  storefront_refused: {
    message: "Butiken svarade med HTTP-status {{status}}.",
    fix: "Ange adressen som kunderna öppnar.",
  },
  storefront_private: {
    message: "Butikens adress leder in i ett privat nätverk, där kunderna inte kan öppna den.",
    fix: "Ange den publika adressen. Under utveckling: sätt SVC_ALLOW_INSECURE_URLS=true och starta om butiken.",
  },
  nothing_sent: {
    message: "Importen är klar, men tjänsten har ingen av produkterna.",
    fix: "Öppna listan över produkter: vid varje står orsaken.",
  },
  import_ended: { message: "Importen kördes inte till slut.", fix: "Starta den igen." },
  delivery_refused: {
    message: "Ett meddelande kom fram och avvisades med HTTP-status {{status}}.",
    fix: "Välj ”Hitta orsaken” på anslutningens sida.",
  },
  campaign_ended: {
    message:
      "Showen är inställd eller borttagen, eller så har dess tidsgräns passerat: inget i den säljs.",
    fix: "Flytta kampanjens tidsgräns, eller använd en show som fortfarande är öppen.",
  },
  undeclared: {
    message:
      "Den här anslutningen fanns i medusa-config.ts och finns inte längre där. Dess arbete väntar.",
    fix: "Lägg in den igen och starta om butiken, ange en API-token för att hantera den här, eller ta bort den.",
  },
  svc_unreachable: {
    message: "Tjänsten kan inte nås på sin adress.",
    fix: "Kontrollera tjänstens adress i anslutningens inställningar. Butiken försöker automatiskt igen.",
  },
  svc_timeout: {
    message: "Tjänsten svarade inte i tid.",
    fix: "Du behöver inte göra något: butiken försöker automatiskt igen.",
  },
  svc_unavailable: {
    message: "Tjänsten har problem just nu.",
    fix: "Du behöver inte göra något: butiken försöker automatiskt igen.",
  },
  svc_rate_limited: {
    message: "Tjänsten har fått för många anrop och ber om en paus.",
    fix: "Du behöver inte göra något: butiken väntar så länge tjänsten ber om och fortsätter sedan.",
  },
  svc_unauthorized: {
    message: "Tjänsten godtar inte API-token.",
    fix: "Skapa en ny API-token i sidans inställningar i tjänsten och klistra in den i anslutningen.",
  },
  svc_not_found: {
    message: "Tjänsten känner inte till det som efterfrågades.",
    fix: "Kontrollera att kampanjen eller posten fortfarande finns i tjänsten.",
  },
  svc_rejected: {
    message: "Tjänsten avvisade uppgifterna som skickades.",
    fix: "Läs tjänstens svar och rätta uppgifterna; sedan skickas de igen.",
  },
  svc_unreadable: {
    message: "Tjänsten svarade i ett format som den här versionen inte känner till.",
    fix: "Uppdatera pluginet eller rapportera felet.",
  },
  svc_paused: {
    message: "Efter flera fel i rad tar butiken en kort paus.",
    fix: "Du behöver inte göra något: butiken försöker igen efteråt.",
  },
  svc_insecure: {
    message:
      "Tjänstens adress börjar inte med https:// eller leder in i ett privat nätverk, så butiken anropar den inte.",
    fix: "Ange en adress som börjar med https:// och inte ligger i ett privat nätverk. För utveckling: sätt SVC_ALLOW_INSECURE_URLS=true och starta om butiken.",
  },
  no_variants: {
    message: "Produkten har ingen variant och därmed inget pris, så den kan inte säljas.",
    fix: "Lägg till en variant med ett pris.",
  },
  no_price: {
    message: "Ingen variant har ett pris i {{currency}}, valutan i regionen ”{{region}}”.",
    fix: "Lägg till ett pris i {{currency}} på varianterna.",
  },
  variants_without_price: {
    message:
      "Produkten finns i tjänsten, men utan de varianter som saknar pris i {{currency}}: {{variants}}.",
    fix: "Lägg till ett pris i {{currency}} på dessa varianter.",
  },
  zero_price: {
    message: "Produkten finns i tjänsten med priset 0: {{variants}}.",
    fix: "Ange ett pris i {{currency}}, om den inte ska vara gratis.",
  },
  image_unusable: {
    message: "Produkten finns i tjänsten, men utan bilderna med ogiltig adress: {{images}}.",
    fix: "Ladda upp bilderna igen eller rätta deras adresser.",
  },
  incomplete: {
    message: "Produkten saknar uppgifter som tjänsten kräver ({{fields}}).",
    fix: "Komplettera produkten; då skickas den automatiskt.",
  },
  not_published: {
    message: "Produkten är inte publicerad, så den säljs inte i tjänsten.",
    fix: "Publicera produkten om den ska säljas.",
  },
  not_in_channel: {
    message: "Produkten finns inte i anslutningens försäljningskanal.",
    fix: "Lägg till den i försäljningskanalen om den ska säljas där.",
  },
  channel_disabled: {
    message: "Anslutningens försäljningskanal är avstängd eller borttagen, så inget säljs.",
    fix: "Aktivera försäljningskanalen eller välj en annan i anslutningens inställningar.",
  },
  excluded: {
    message: "Anslutningens inställningar utelämnar produkten ({{rule}}).",
    fix: "Ändra i anslutningens inställningar vilka produkter som skickas, om den ska säljas där.",
  },
  excluded_by_mapper: {
    message: "Butikens egen mapProduct utelämnar produkten.",
    fix: "Ändra mapProduct i medusa-config.ts om produkten ska säljas där.",
  },
  mapper_failed: {
    message: "Butikens egen mapProduct misslyckades för produkten: {{problem}}.",
    fix: "Rätta mapProduct i medusa-config.ts och starta om butiken.",
  },
  unreadable: {
    message: "Produkten kunde inte omvandlas till tjänstens format: {{problem}}.",
    fix: "Se efter vad som är ovanligt med produkten och rapportera felet.",
  },
  deleted: {
    message: "Produkten togs bort i butiken.",
    fix: "Du behöver inte göra något.",
  },
  region_missing: {
    message: "Anslutningens region finns inte längre, så inget pris kan läsas.",
    fix: "Välj en region i anslutningens inställningar.",
  },
  store_error: {
    message: "Produkten kunde inte läsas från butiken: {{problem}}",
    fix: "Du behöver inte göra något: butiken försöker automatiskt igen. Om det kvarstår, se butikens logg.",
  },
  import_failed: {
    message:
      "Importen gavs upp ett dygn efter starten eftersom butikens produkter inte kunde läsas: {{problem}}",
    fix: "Se i butikens logg och databas och starta sedan importen igen.",
  },
  product_too_large: {
    message: "Produkten är för stor för tjänsten, även när den skickas ensam.",
    fix: "Korta texterna eller ta bort bilder eller varianter.",
  },
  product_fails_alone: {
    message:
      "Andra produkter godtas, men inte den här. Butiken fortsätter försöka i ett dygn, med allt längre mellanrum.",
    fix: "Om det kvarstår, se efter vad som är ovanligt med produkten och meddela tjänsten.",
  },
  given_up: {
    message: "Butiken gav upp efter 24 timmar.",
    fix: "Produkter provas igen varje natt. ”Skicka nu”, ”Rapportera igen” eller ”Tillämpa igen” försöker direkt.",
  },
  endpoint_refuses: {
    message:
      "Tjänsten tar inte emot produkter på den här adressen ({{status}}), så inget skickas just nu.",
    fix: "Kontrollera tjänstens adress och vad ditt abonnemang omfattar. Butiken försöker igen varje minut.",
  },
  most_refused: {
    message: "Tjänsten avvisar det mesta som skickas, så butiken pausar.",
    fix: "Rätta det som tjänsten påpekar. Butiken provar några produkter igen varje minut.",
  },
  service_fails: {
    message: "Inget kan skickas just nu.",
    fix: "Du behöver inte göra något: butiken försöker igen minst varje minut.",
  },
  slow_down: {
    message: "Tjänsten ber om lägre takt, så butiken väntar så länge den ber om.",
    fix: "Du behöver inte göra något: sedan fortsätter sändningen lite långsammare.",
  },
  payment_not_authorised: {
    message: "Beställningens betalning är inte auktoriserad ännu.",
    fix: "Du behöver inte göra något: beställningen rapporteras när betalningen kommer.",
  },
  payment_not_captured: {
    message:
      "Beställningens betalning är inte debiterad ännu, och beställningar rapporteras först då.",
    fix: "Debitera betalningen, eller ställ in att beställningar rapporteras när de läggs.",
  },
  consent_missing: {
    message: "Kunden har inte samtyckt till att beställningen rapporteras till tjänsten.",
    fix: "Du behöver inte göra något, om inte webbutiken borde ha frågat: den sätter svc_consent på varukorgen.",
  },
  order_cancelled: {
    message: "Beställningen avbröts innan den rapporterades.",
    fix: "Du behöver inte göra något.",
  },
  order_deleted: {
    message: "Beställningen finns inte längre.",
    fix: "Du behöver inte göra något.",
  },
  email_excluded: {
    message: "Beställningar med en e-postadress som {{pattern}} rapporteras inte.",
    fix: "Du behöver inte göra något. Eller ändra vilka adresser som utelämnas och rapportera beställningen.",
  },
  sales_channel_excluded: {
    message: "Beställningar i den här försäljningskanalen rapporteras inte.",
    fix: "Du behöver inte göra något. Eller ändra vilka försäljningskanaler som utelämnas och rapportera beställningen.",
  },
  draft_order: {
    message: "Beställningen är ett utkast.",
    fix: "Du behöver inte göra något.",
  },
  test_order: {
    message: "Beställningen är märkt som test (svc_test i metadata).",
    fix: "Du behöver inte göra något. Ta bort märkningen om det är en riktig beställning och rapportera den.",
  },
  no_show_lines: {
    message:
      "Inget i beställningen såldes till showens pris, och sådana beställningar rapporteras inte.",
    fix: "Du behöver inte göra något. Eller ställ in att även sådana beställningar rapporteras.",
  },
  order_half_placed: {
    message:
      "Medusa avbröts när beställningen skapades: den saknar varukorg och kanske betalning. Kunden kan ha beställt igen.",
    fix: "Sök betalningen hos din betalleverantör. Är beställningen betald, rapportera den här; annars avbryt den.",
  },
  waited_too_long: {
    message: "Det som rapporten väntade på kom inte inom tidsgränsen ({{days}} dagar).",
    fix: "Du behöver inte göra något. Rapportera beställningen om den ändå ska räknas i tjänsten.",
  },
  order_conflict: {
    message: "Tjänsten avvisade den första rapporten av detta ordernummer som en konflikt (409).",
    fix: "Fråga tjänstens support vad numret hör till. Rapportera beställningen igen när det är ledigt.",
  },
  order_number_used: {
    message: "En annan beställning har redan rapporterats med detta ordernummer.",
    fix: "Du behöver inte göra något, om inte den andra beställningen var ett misstag. Den här räknas i dina resultat.",
  },
  order_number_shared: {
    message:
      "Tjänsten gav ett ordernummer för flera kampanjer, och den här beställningen har redan rapporterats med det.",
    fix: "Du behöver inte göra något. Det sålda räknas i resultaten för varje kampanj.",
  },
  connection_not_found: {
    message: "Anslutningen finns inte längre; den har tagits bort.",
    fix: "Ladda om sidan. Om en beställning ska räknas för showen, meddela tjänsten direkt.",
  },
  report_fields_failed: {
    message: "Butikens egen reportFields misslyckades: {{problem}}",
    fix: "Rätta reportFields i medusa-config.ts. Beställningen rapporteras sedan automatiskt igen.",
  },
  report_store_error: {
    message:
      "Beställningen kunde inte rapporteras på grund av ett fel i butikens egen databas: {{problem}}",
    fix: "Du behöver inte göra något: butiken försöker automatiskt igen. Om det kvarstår, kontrollera butikens databas.",
  },
  price_differs: {
    message: "En enhet såldes för {{charged}}, men showens pris var {{proven}}.",
    fix: "Kontrollera beställningen. Ett annat plugin eller en manuell ändring kan ha satt priset.",
  },
  tax_basis_differs: {
    message: "Showens pris hade en annan momsgrund än raden såldes med.",
    fix: "Kontrollera momsen på beställningen.",
  },
  price_expired: {
    message: "Showens pris gällde inte längre när beställningen lades.",
    fix: "Du behöver inte göra något, såvida du inte vill undvika att sälja till det priset: betalleverantören lade beställningen efter att kunden hade lämnat kassan.",
  },
  campaign_over: {
    message: "Showen var slut när beställningen lades.",
    fix: "Du behöver inte göra något, såvida du inte vill undvika att sälja till det priset.",
  },
  price_unproven: {
    message: "Raden är märkt som såld i en show, men det finns inget belägg för priset.",
    fix: "Kontrollera priset som togs ut.",
  },
  not_in_show: {
    message: "Produkten togs bort från showen.",
    fix: "Lägg till den i showen igen om den ska säljas där.",
  },
  not_connected: {
    message: "Anslutningen till tjänsten fungerar inte: ingen varukorg får showens pris.",
    fix: "Öppna anslutningen under Inställningar, Livehandel: där står vad som är fel.",
  },
  connection_trouble: {
    message: "Anrop till tjänsten misslyckas, så varukorgar kanske inte får showens pris.",
    fix: "Öppna anslutningen under Inställningar, Livehandel: där står vad som är fel.",
  },
  other_currency: {
    message:
      "Showen säljer i {{show_currency}}, men anslutningens region säljer i {{currency}}: ingen varukorg får showens pris.",
    fix: "Välj en region som säljer i {{show_currency}} för anslutningen, eller sätt showens priser i {{currency}}.",
  },
  not_in_store: {
    message: "Showens produkt finns inte i den här försäljningskanalen.",
    fix: "Lägg till produkten i försäljningskanalen och publicera den, eller välj en annan produkt till showen.",
  },
  not_for_sale: {
    message: "Produkten säljs inte längre i den här butiken.",
    fix: "Publicera den igen i anslutningens försäljningskanal, eller ta bort den från showen.",
  },
  failed: {
    message: "Produkten kunde inte skickas till tjänsten.",
    fix: "Öppna produkten i produktlistan och skicka den igen.",
  },
  not_sent_yet: {
    message: "Produkten väntar på att skickas till tjänsten.",
    fix: "Du behöver inte göra något: den skickas strax.",
  },
  no_show_price: {
    message: "Showen har inget pris på produkten.",
    fix: "Ange ett pris i showen.",
  },
  not_available: {
    message: "Tjänsten visar produkten som ej tillgänglig.",
    fix: "Kontrollera lagret eller gör produkten tillgänglig i showen.",
  },
  price_above_catalog: {
    message: "Showens pris är högre än priset i butiken.",
    fix: "Sänk showens pris. Eller sätt inställningen whenCatalogIsCheaper till catalog: då gäller det lägre.",
  },
  out_of_stock: {
    message: "Produkten är slutsåld.",
    fix: "Fyll på lagret på någon av försäljningskanalens platser, eller ta bort produkten från showen.",
  },
  variants_out_of_stock: {
    message: "Slutsålda varianter ({{count}} av {{of}}): {{variants}}.",
    fix: "Fyll på lagret eller visa de andra.",
  },
  no_time: {
    message: "Det framgår inte när ändringen skedde, så den kan inte placeras i tidsordning.",
    fix: "Skicka det igen från tjänstens dashboard, eller vänta: butiken synkroniserar varje natt.",
  },
  from_the_future: {
    message: "Ändringen är daterad senare än meddelandet skickades.",
    fix: "Tillämpa meddelandet när den tiden har kommit. Nu skulle det dölja alla senare ändringar.",
  },
  ids_missing: {
    message: "Det framgår inte vad det gäller; följande saknas: {{fields}}.",
    fix: "Meddela tjänsten och bifoga innehållet. Andra meddelanden påverkas inte.",
  },
  unknown_topic: {
    message: "Den här versionen av pluginet känner inte till ämnet ”{{topic}}”.",
    fix: "Uppdatera pluginet och tillämpa sedan meddelandet igen.",
  },
  unknown_version: {
    message: "Innehållets version ”{{version}}” är okänd; den här versionen av pluginet läser v1.",
    fix: "Ställ in webhooken på v1 i tjänsten eller uppdatera pluginet, och tillämpa sedan meddelandet igen.",
  },
  not_readable: {
    message: "Det sparade innehållet kan inte längre läsas.",
    fix: "Rapportera felet.",
  },
  not_applied: {
    message: "Meddelandet kunde inte tillämpas: {{problem}}",
    fix: "Butiken försöker automatiskt igen i ett dygn; därefter kan du tillämpa det igen.",
  },
  resent: {
    message: "Det upprepar ett känt meddelande, fast med en annan tid.",
    fix: "Du behöver inte göra något.",
  },
  fields_unread: {
    message: "Det tillämpades utan {{fields}}, som inte kunde läsas.",
    fix: "Meddela tjänsten och bifoga innehållet.",
  },
  fields_missing: {
    message:
      "Det tillämpades utan {{fields}}, som saknas: utan status räknas en show som planerad, utan isPublished som inte publicerad.",
    fix: "Meddela tjänsten och bifoga innehållet. Nästa leverans som har dem rättar det.",
  },
  alias_differs: {
    message: "{{name}} är ”{{value}}”, men hör till ”{{record}}”.",
    fix: "Du behöver inte göra något.",
  },
  webhook_not_registered: {
    message: "Tjänsten meddelar inte butiken om shower: ingen webhook är registrerad.",
    fix: "Registrera webhooken.",
  },
  webhook_key_unknown: {
    message: "Webhooken saknar signaturnyckel, så dess meddelanden avvisas.",
    fix: "Byt nyckeln eller ange den manuellt.",
  },
  webhook_warning: {
    message: "Tjänsten rapporterar att meddelanden har misslyckats i minst 30 minuter.",
    fix: "Kontrollera att butikens adress kan nås utifrån. Efter 60 minuter slutar tjänsten skicka.",
  },
  webhook_disabled: {
    message: "Tjänsten har slutat skicka, eftersom meddelanden misslyckades i 60 minuter.",
    fix: "Kontrollera att butikens adress kan nås utifrån och registrera webhooken igen, eller aktivera den i tjänstens dashboard. Det som missades hämtas automatiskt.",
  },
  webhook_missing: {
    message: "Tjänsten känner inte längre till den här webhooken.",
    fix: "Registrera webhooken igen.",
  },
  applying_paused: {
    message: "Meddelanden sparas men tillämpas inte: tillämpningen är pausad.",
    fix: "Återuppta tillämpningen. Inget går förlorat under tiden.",
  },
  clock_skew: {
    message: "Butikens och tjänstens klockor skiljer sig med {{seconds}} sekunder.",
    fix: "Ställ butikens klocka (NTP). Meddelanden som avviker mer än {{tolerance}} sekunder avvisas.",
  },
  deliveries_refused: {
    message: "Meddelanden har nyligen avvisats, och inget har godtagits sedan dess.",
    fix: "Kontrollera signaturnyckeln, sid-UID och butikens klocka.",
  },
  deliveries_quarantined: {
    message: "Meddelanden som hålls kvar eftersom de inte kan placeras: {{count}}.",
    fix: "Öppna ”Webhook-meddelanden”, läs orsaken och välj ”Tillämpa igen”.",
  },
  deliveries_unknown: {
    message: "Meddelanden med ett ämne eller en version som pluginet inte känner till: {{count}}.",
    fix: "Uppdatera pluginet och tillämpa dem sedan igen.",
  },
  deliveries_failed: {
    message: "Meddelanden som inte kunde tillämpas: {{count}}.",
    fix: "Öppna ”Webhook-meddelanden”, läs orsaken och välj ”Tillämpa igen”.",
  },
  listing_incomplete: {
    message: "Tjänstens lista över shower var inte fullständig.",
    fix: "Du behöver inte göra något: den läses igen. Om det kvarstår, meddela tjänsten.",
  },
  catalog_not_imported: {
    message: "Tjänsten känner ännu inte till någon av butikens produkter.",
    fix: "Starta en import.",
  },
  encryption_key_missing: {
    message: "SVC_ENCRYPTION_KEYS är inte satt: token och nycklar kan varken sparas eller läsas.",
    fix: "Sätt SVC_ENCRYPTION_KEYS och starta om butiken; när du sparar en token visas kommandot som skapar en nyckel.",
  },
  encryption_key_removed: {
    message:
      "Sparade hemligheter ({{count}}) behöver en krypteringsnyckel som inte finns i SVC_ENCRYPTION_KEYS: {{keys}}.",
    fix: "Lägg tillbaka nyckeln efter den aktiva och starta om alla processer. Är den borta, ange API-token igen och förnya signaturnycklarna.",
  },
  encryption_key_old: {
    message:
      "Sparade hemligheter ({{count}}) är krypterade med en gammal nyckel: {{keys}}. Utan den kan de inte läsas.",
    fix: "Kör npx medusa-plugin-svc rotate-keys --apply innan du tar bort den ur SVC_ENCRYPTION_KEYS.",
  },
  worker_stuck: {
    message: "Arbete har väntat i {{minutes}} minuter utan att någon tar det.",
    fix: "Kontrollera att en process körs som worker eller shared (MEDUSA_WORKER_MODE).",
  },
  orders_failed: {
    message: "Beställningar som inte kunde rapporteras till tjänsten: {{count}}.",
    fix: "Öppna ”Beställningar”, läs orsaken och välj ”Rapportera igen”.",
  },
  orders_delayed: {
    message:
      "Beställningar som inte har rapporterats på över en timme på grund av ett fel i butiken själv: {{count}}.",
    fix: "Öppna ”Beställningar” och läs orsaken. De rapporteras automatiskt när felet är åtgärdat.",
  },
  products_failed: {
    message: "Produkter som tjänsten avvisade eller som gavs upp: {{count}}.",
    fix: "Öppna ”Produkter”, läs orsaken och välj ”Skicka nu”.",
  },
  core_table_changed: {
    message:
      "Den här versionen av Medusa saknar data som pluginet bygger på ({{missing}}); en del av det fungerar inte.",
    fix: "Uppdatera medusa-plugin-svc till en version som stöder den här versionen av Medusa, eller gå tillbaka till den förra.",
  },
  unexpected: {
    message: "Showerna kunde inte läsas från tjänsten.",
    fix: "Du behöver inte göra något: butiken försöker automatiskt igen.",
  },
  invalid_url: {
    message: "Tjänstens adress är ogiltig.",
    fix: "Skriv den som https://host/sökväg, utan användare, frågesträng eller fragment.",
  },
  insecure_url: {
    message: "Adressen är inte tillåten: den måste vara offentlig och börja med https://.",
    fix: "Rätta adressen; för webhooken sätter du SVC_BACKEND_URL till butikens https-adress och startar om butiken.",
  },
  token_required: {
    message: "Tjänstens adress har ändrats.",
    fix: "Ange API-token igen, så att den inte skickas till fel adress.",
  },
  sales_channel_not_found: {
    message: "Försäljningskanalen finns inte.",
    fix: "Välj en av butikens försäljningskanaler.",
  },
  region_not_found: {
    message: "Regionen finns inte.",
    fix: "Välj en av butikens regioner.",
  },
  backend_url_missing: {
    message:
      "Butiken känner inte till sin egen offentliga adress, så ingen webhook kan registreras.",
    fix: "Sätt SVC_BACKEND_URL till den, till exempel https://shop.example.com, och starta om butiken.",
  },
  secret_unreadable: {
    message: "En sparad hemlighet kan inte dekrypteras.",
    fix: "Lägg tillbaka nyckeln som den krypterades med i SVC_ENCRYPTION_KEYS, eller ange token och signaturnyckel på nytt.",
  },
  not_found: {
    message: "Posten finns inte längre.",
    fix: "Ladda om sidan.",
  },
  connection_read_only: {
    message: "Anslutningen anges i medusa-config.ts.",
    fix: "Ändra den där och starta om butiken.",
  },
  connection_exists: {
    message: "Sidan är redan ansluten.",
    fix: "Ändra den befintliga anslutningen eller ta bort den först.",
  },
  sync_running: {
    message: "En import för den här anslutningen pågår redan.",
    fix: "Vänta på den eller avbryt den först.",
  },
  sync_not_running: {
    message: "Ingen import pågår.",
    fix: "Starta en först.",
  },
  webhook_limit: {
    message: "Sidan har redan så många webhookar som den får ha, och ingen av dem är butikens.",
    fix: "Ta bort en som inte längre används i tjänstens dashboard.",
  },
  webhook_headers_unknown: {
    message: "Tjänsten har stängt av webhooken, och en ny skulle sakna dess egna headers.",
    fix: "Aktivera den i tjänstens dashboard, eller registrera den igen med headers.",
  },
  order_not_reportable: {
    message: "Beställningen har avbrutits eller tagits bort och kan inte rapporteras.",
    fix: "Du behöver inte göra något.",
  },
  svc_call_failed: {
    message: "Tjänsten utförde inte anropet.",
    fix: "Kontrollera anslutningens adress och token och försök igen om en stund.",
  },
} satisfies ReasonTexts

export default sv

/** What the webhook's doctor finds: codes of their own, beside those that the service may give. */
export const findings: ReasonTexts = {
  backend_url_missing: sv.backend_url_missing,
  address_not_public: {
    message: "Butikens adress {{url}} leder till ett privat nätverk, där tjänsten inte kan nå den.",
    fix: "Sätt SVC_BACKEND_URL till en offentlig https-adress för butiken, starta om butiken och registrera webhooken igen.",
  },
  address_insecure: {
    message:
      "Butikens adress {{url}} börjar inte med https://, och tjänsten skickar bara till https-adresser.",
    fix: "Se till att butiken kan nås med https, sätt SVC_BACKEND_URL till den adressen, starta om butiken och registrera webhooken igen.",
  },
  not_registered: sv.webhook_not_registered,
  subscriber_gone: sv.webhook_missing,
  subscriber_disabled: sv.webhook_disabled,
  subscriber_warning: sv.webhook_warning,
  other_address: {
    message: "Tjänsten skickar till {{registered}}, men butiken tar emot på {{expected}}.",
    fix: "Registrera webhooken igen: då får den rätt adress.",
  },
  topics_missing: {
    message: "Tjänsten skickar inte dessa ämnen: {{topics}}.",
    fix: "Registrera webhooken igen utan att välja ämnen, så att alla ändringar skickas.",
  },
  other_subscribers: {
    message:
      "Sidan har andra webhookar ({{count}}): {{names}}. Var och en får egna meddelanden, signerade med en egen nyckel. En sida får ha {{limit}} totalt.",
    fix: "Du behöver inte göra något. Om någon av dem är en gammal webhook från den här butiken, ta bort den i tjänstens dashboard.",
  },
  service_unreachable: {
    message: "Tjänsten kunde inte tillfrågas om webhooken: {{problem}}",
    fix: "Kontrollera anslutningens adress och token.",
  },
  key_missing: sv.webhook_key_unknown,
  key_unreadable: {
    message: "Signaturnyckeln är sparad, men kan inte dekrypteras här.",
    fix: "Lägg tillbaka nyckeln som den krypterades med i SVC_ENCRYPTION_KEYS, eller byt signaturnyckeln.",
  },
  not_reached: {
    message: "Butikens egen adress svarade inte: {{problem}}",
    fix: "Öppna {{url}} från ett annat nätverk. Om den inte svarar där heller, kontrollera DNS, brandvägg och proxy.",
  },
  not_this_store: {
    message:
      "{{url}} svarar {{status}}, men svaret kommer inte från det här pluginet: något framför butiken svarar i stället.",
    fix: "Ställ in din proxy eller ditt webbhotell så att POST-anrop till /hooks/svc/ når butiken utan inloggning och oförändrade.",
  },
  body_limit: {
    message: "Något framför butiken avvisar anrop på {{bytes}} byte ({{status}}).",
    fix: "Höj i din proxy gränsen för hur stora anrop till /hooks/svc/ får vara till 1 MiB (nginx: client_max_body_size).",
  },
  body_changed: {
    message:
      "Ett anrop som butiken själv signerade var inte längre giltigt när det hade gått via {{url}}: något ändrar det på vägen.",
    fix: "Stäng av det som ändrar innehåll eller headers i anrop till /hooks/svc/ (en brandvägg som rensar JSON, eller en gateway som skriver om innehållet).",
  },
  signature_stripped: {
    message: "Anrop som kom utan signaturens headers: {{count}}, senast {{last_at}}.",
    fix: "Ställ in din proxy så att den skickar vidare X-Svc-Signature och X-Svc-Timestamp. Anrop från främmande ser likadana ut: ändra bara något om inga meddelanden godtas.",
  },
  wrong_key: {
    message:
      "Anrop som var signerade med en annan nyckel eller ändrades på vägen: {{count}}, senast {{last_at}}.",
    fix: "Byt nyckeln, eller ange den som tjänstens dashboard visade.",
  },
  clock: {
    message:
      "Rätt signerade meddelanden som avvisades som för gamla eller för tidiga: {{count}}, det senaste med {{seconds}} sekunder.",
    fix: "Ställ butikens klocka (NTP). Om en gateway håller kvar meddelanden, sätt SVC_WEBHOOK_TOLERANCE_SECONDS till den tid det får ta.",
  },
  wrong_page: {
    message: "Rätt signerade meddelanden som gällde en annan sida än {{page}}: {{count}}.",
    fix: "Kontrollera sid-UID i anslutningens inställningar.",
  },
  wrong_type: {
    message:
      "Anrop vars innehållstyp eller kodning inte var vanlig JSON: {{count}}, senast {{last_at}}.",
    fix: "Ställ in din proxy så att den skickar innehållet vidare oförändrat, utan att komprimera eller omvandla det.",
  },
  too_large: {
    message: "Anrop som var större än {{bytes}} byte: {{count}}, senast {{last_at}}.",
    fix: "Höj SVC_WEBHOOK_MAX_BYTES om tjänsten skickar så stora meddelanden.",
  },
  store_overloaded: {
    message:
      "Meddelanden som butiken inte kunde ta emot i tid och bad att få igen senare: {{count}}, senast {{last_at}}.",
    fix: "Kontrollera databasen: dess svarstider, disk och antal anslutningar.",
  },
  silent: {
    message: "Inget meddelande har kommit sedan {{last_at}}.",
    fix: "Välj ”Vänta på ett test” här och skicka sedan testet i tjänstens webhook-inställningar.",
  },
  never_heard: {
    message: "Inget meddelande har kommit sedan webhooken registrerades.",
    fix: "Välj ”Vänta på ett test” här och skicka sedan testet i tjänstens webhook-inställningar.",
  },
  applying_paused: sv.applying_paused,
  well: {
    message: "Meddelanden kommer fram och har rätt signatur, senast {{last_at}}.",
    fix: "Du behöver inte göra något.",
  },
}
