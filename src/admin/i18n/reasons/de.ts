import type { ReasonTexts } from "../texts"

const de = {
  channel_closed: {
    message:
      "Der Vertriebskanal ist ausgeschaltet oder wurde gelöscht, also ist darin nichts zu kaufen.",
    fix: "Schalten Sie ihn ein oder wählen Sie einen anderen.",
  },
  region_gone: { message: "Die Region gibt es nicht mehr.", fix: "Wählen Sie eine andere Region." },
  no_products: {
    message: "Im Vertriebskanal ist kein veröffentlichtes Produkt.",
    fix: "Veröffentlichen Sie darin ein Produkt oder wählen Sie einen anderen Vertriebskanal.",
  },
  no_prices: {
    message: "Kein Produkt des Vertriebskanals hat einen Preis in {{currency}}.",
    fix: "Wählen Sie die Region, in deren Währung Ihre Preise sind, oder ergänzen Sie Preise in dieser Währung.",
  },
  storefront_unreachable: {
    message: "Der Shop hat nicht geantwortet ({{problem}}).",
    fix: "Öffnen Sie die Adresse in einem Browser. Öffnet sie sich dort, prüfen Sie, ob auch der Server des Shops sie erreicht.",
  },
  not_the_service: {
    message: "Unter der Adresse des Dienstes antwortet etwas, aber nicht die API des Dienstes.",
    fix: "Tragen Sie die Adresse aus den API-Einstellungen der Seite ein.",
  },
  storefront_refused: {
    message: "Der Shop hat mit dem HTTP-Status {{status}} geantwortet.",
    fix: "Tragen Sie die Adresse ein, die Kunden öffnen.",
  },
  storefront_private: {
    message: "Die Adresse des Shops führt in ein privates Netz, wo Kunden sie nicht öffnen können.",
    fix: "Tragen Sie die öffentliche Adresse ein. Zum Entwickeln setzen Sie SVC_ALLOW_INSECURE_URLS=true und starten den Shop neu.",
  },
  nothing_sent: {
    message: "Der Import ist beendet, aber der Dienst hat keines der Produkte.",
    fix: "Öffnen Sie die Liste der Produkte: Bei jedem steht der Grund.",
  },
  import_ended: {
    message: "Der Import lief nicht bis zum Ende.",
    fix: "Starten Sie ihn noch einmal.",
  },
  delivery_refused: {
    message: "Eine Zustellung kam an und wurde mit dem HTTP-Status {{status}} abgelehnt.",
    fix: "Drücken Sie auf der Seite der Verbindung „Ursache suchen“.",
  },
  campaign_ended: {
    message:
      "Die Show wurde abgesagt oder gelöscht, oder ihre Frist ist abgelaufen: Nichts darin wird verkauft.",
    fix: "Verschieben Sie die Frist der Kampagne, oder nehmen Sie eine Show, die noch offen ist.",
  },
  undeclared: {
    message:
      "Diese Verbindung stand in medusa-config.ts und steht dort nicht mehr. Ihre Arbeit wartet.",
    fix: "Tragen Sie sie wieder ein und starten Sie den Shop neu, geben Sie ein API-Token ein, um sie hier zu verwalten, oder löschen Sie sie.",
  },
  svc_unreachable: {
    message: "Der Dienst ist unter seiner Adresse nicht erreichbar.",
    fix: "Prüfen Sie die Adresse des Dienstes in den Einstellungen der Verbindung. Der Shop versucht es automatisch weiter.",
  },
  svc_timeout: {
    message: "Der Dienst hat nicht rechtzeitig geantwortet.",
    fix: "Sie müssen nichts tun: Der Shop versucht es automatisch weiter.",
  },
  svc_unavailable: {
    message: "Der Dienst ist zurzeit gestört.",
    fix: "Sie müssen nichts tun: Der Shop versucht es automatisch weiter.",
  },
  svc_rate_limited: {
    message: "Der Dienst hat zu viele Anfragen auf einmal erhalten und bittet um eine Pause.",
    fix: "Sie müssen nichts tun: Der Shop wartet so lange wie verlangt und macht dann weiter.",
  },
  svc_unauthorized: {
    message: "Der Dienst akzeptiert das API-Token nicht.",
    fix: "Erstellen Sie in den Einstellungen Ihrer Seite beim Dienst ein neues API-Token und tragen Sie es in der Verbindung ein.",
  },
  svc_not_found: {
    message: "Der Dienst kennt den angefragten Eintrag nicht.",
    fix: "Prüfen Sie, ob die Kampagne oder der Eintrag beim Dienst noch vorhanden ist.",
  },
  svc_rejected: {
    message: "Der Dienst hat die gesendeten Daten abgelehnt.",
    fix: "Lesen Sie die Antwort des Dienstes und korrigieren Sie die Daten; danach wird erneut gesendet.",
  },
  svc_unreadable: {
    message: "Der Dienst hat in einer Form geantwortet, die diese Version nicht kennt.",
    fix: "Aktualisieren Sie das Plugin oder melden Sie den Fehler.",
  },
  svc_paused: {
    message: "Nach mehreren Fehlern in Folge macht der Shop eine kurze Pause.",
    fix: "Sie müssen nichts tun: Der Shop versucht es danach erneut.",
  },
  svc_insecure: {
    message:
      "Die Adresse des Dienstes beginnt nicht mit https:// oder führt in ein privates Netz; der Shop ruft sie nicht auf.",
    fix: "Geben Sie eine Adresse ein, die mit https:// beginnt und nicht in einem privaten Netz liegt. Für die Entwicklung: Setzen Sie SVC_ALLOW_INSECURE_URLS=true und starten Sie den Shop neu.",
  },
  no_variants: {
    message:
      "Das Produkt hat keine Variante und damit keinen Preis; es kann nicht verkauft werden.",
    fix: "Fügen Sie eine Variante mit Preis hinzu.",
  },
  no_price: {
    message: "Keine Variante hat einen Preis in {{currency}}, der Währung der Region „{{region}}“.",
    fix: "Fügen Sie den Varianten einen Preis in {{currency}} hinzu.",
  },
  variants_without_price: {
    message:
      "Das Produkt ist beim Dienst, aber ohne die Varianten, die keinen Preis in {{currency}} haben: {{variants}}.",
    fix: "Fügen Sie diesen Varianten einen Preis in {{currency}} hinzu.",
  },
  zero_price: {
    message: "Das Produkt ist beim Dienst mit dem Preis 0: {{variants}}.",
    fix: "Legen Sie einen Preis in {{currency}} fest, sofern es nicht kostenlos sein soll.",
  },
  image_unusable: {
    message:
      "Das Produkt ist beim Dienst, aber ohne die Bilder mit ungültiger Adresse: {{images}}.",
    fix: "Laden Sie diese Bilder erneut hoch oder korrigieren Sie ihre Adressen.",
  },
  incomplete: {
    message: "Dem Produkt fehlen Angaben, die der Dienst braucht ({{fields}}).",
    fix: "Ergänzen Sie das Produkt; es wird dann automatisch gesendet.",
  },
  not_published: {
    message: "Das Produkt ist nicht veröffentlicht und wird beim Dienst deshalb nicht verkauft.",
    fix: "Veröffentlichen Sie das Produkt, wenn es verkauft werden soll.",
  },
  not_in_channel: {
    message: "Das Produkt gehört nicht zum Vertriebskanal der Verbindung.",
    fix: "Fügen Sie es dem Vertriebskanal hinzu, wenn es dort verkauft werden soll.",
  },
  channel_disabled: {
    message:
      "Der Vertriebskanal der Verbindung ist deaktiviert oder gelöscht, deshalb wird nichts verkauft.",
    fix: "Aktivieren Sie den Vertriebskanal oder wählen Sie in der Verbindung einen anderen.",
  },
  excluded: {
    message: "Die Einstellungen der Verbindung schließen dieses Produkt aus ({{rule}}).",
    fix: "Ändern Sie in der Verbindung, welche Produkte gesendet werden, wenn es dort verkauft werden soll.",
  },
  excluded_by_mapper: {
    message: "Die eigene Funktion mapProduct des Shops schließt dieses Produkt aus.",
    fix: "Ändern Sie mapProduct in medusa-config.ts, wenn das Produkt dort verkauft werden soll.",
  },
  mapper_failed: {
    message:
      "Die eigene Funktion mapProduct des Shops ist bei diesem Produkt fehlgeschlagen: {{problem}}.",
    fix: "Korrigieren Sie mapProduct in medusa-config.ts und starten Sie den Shop neu.",
  },
  unreadable: {
    message: "Das Produkt konnte nicht in die Form des Dienstes gebracht werden: {{problem}}.",
    fix: "Prüfen Sie, was an diesem Produkt ungewöhnlich ist, und melden Sie den Fehler.",
  },
  deleted: {
    message: "Das Produkt wurde im Shop gelöscht.",
    fix: "Sie müssen nichts tun.",
  },
  region_missing: {
    message:
      "Die Region der Verbindung gibt es nicht mehr, deshalb lässt sich kein Preis ermitteln.",
    fix: "Wählen Sie in der Verbindung eine Region aus.",
  },
  store_error: {
    message: "Das Produkt konnte nicht aus dem Shop gelesen werden: {{problem}}",
    fix: "Sie müssen nichts tun: Der Shop versucht es automatisch weiter. Bleibt das Problem, sehen Sie im Protokoll des Shops nach.",
  },
  import_failed: {
    message:
      "Der Import wurde einen Tag nach seinem Beginn aufgegeben, weil die Produkte des Shops nicht gelesen werden konnten: {{problem}}",
    fix: "Sehen Sie im Protokoll und in der Datenbank des Shops nach und starten Sie den Import dann erneut.",
  },
  product_too_large: {
    message: "Das Produkt ist für den Dienst zu groß, selbst wenn es allein gesendet wird.",
    fix: "Kürzen Sie die Texte oder entfernen Sie Bilder oder Varianten.",
  },
  product_fails_alone: {
    message:
      "Andere Produkte werden angenommen, dieses nicht. Der Shop versucht es einen Tag lang in wachsenden Abständen weiter.",
    fix: "Bleibt das Problem, prüfen Sie, was an diesem Produkt ungewöhnlich ist, und melden Sie es dem Dienst.",
  },
  given_up: {
    message: "Nach 24 Stunden wurden die Versuche eingestellt.",
    fix: "Produkte werden jede Nacht erneut versucht. Mit „Jetzt senden“, „Erneut melden“ oder „Erneut anwenden“ versuchen Sie es sofort.",
  },
  endpoint_refuses: {
    message:
      "Der Dienst nimmt unter dieser Adresse keine Produkte an ({{status}}), deshalb wird zurzeit nichts gesendet.",
    fix: "Prüfen Sie die Adresse des Dienstes und den Umfang Ihres Tarifs. Der Shop versucht es jede Minute erneut.",
  },
  most_refused: {
    message: "Der Dienst lehnt das meiste ab, was gesendet wird, deshalb pausiert der Shop.",
    fix: "Korrigieren Sie, was der Dienst bemängelt. Der Shop versucht es jede Minute mit einigen Produkten.",
  },
  service_fails: {
    message: "Zurzeit kann nichts gesendet werden.",
    fix: "Sie müssen nichts tun: Der Shop versucht es mindestens jede Minute erneut.",
  },
  slow_down: {
    message: "Der Dienst bittet darum, langsamer zu senden; der Shop wartet so lange wie verlangt.",
    fix: "Sie müssen nichts tun: Das Senden geht danach etwas langsamer weiter.",
  },
  payment_not_authorised: {
    message: "Die Zahlung der Bestellung ist noch nicht autorisiert.",
    fix: "Sie müssen nichts tun: Die Bestellung wird gemeldet, sobald die Zahlung eingeht.",
  },
  payment_not_captured: {
    message:
      "Die Zahlung der Bestellung ist noch nicht eingezogen; erst dann wird die Bestellung gemeldet.",
    fix: "Ziehen Sie die Zahlung ein, oder stellen Sie ein, dass Bestellungen sofort gemeldet werden.",
  },
  consent_missing: {
    message: "Beim Kauf wurde der Meldung an den Dienst nicht zugestimmt.",
    fix: "Sie müssen nichts tun, es sei denn, Ihr Shop sollte danach fragen: Er setzt dann svc_consent am Warenkorb.",
  },
  order_cancelled: {
    message: "Die Bestellung wurde storniert, bevor sie gemeldet war.",
    fix: "Sie müssen nichts tun.",
  },
  order_deleted: {
    message: "Die Bestellung gibt es nicht mehr.",
    fix: "Sie müssen nichts tun.",
  },
  email_excluded: {
    message: "Bestellungen mit E-Mail-Adressen wie {{pattern}} werden nicht gemeldet.",
    fix: "Sie müssen nichts tun. Oder ändern Sie die ausgenommenen Adressen und melden Sie die Bestellung.",
  },
  sales_channel_excluded: {
    message: "Bestellungen dieses Vertriebskanals werden nicht gemeldet.",
    fix: "Sie müssen nichts tun. Oder ändern Sie die ausgenommenen Vertriebskanäle und melden Sie die Bestellung.",
  },
  draft_order: {
    message: "Die Bestellung ist ein Entwurf.",
    fix: "Sie müssen nichts tun.",
  },
  test_order: {
    message: "Die Bestellung ist als Test markiert (svc_test in den Metadaten).",
    fix: "Sie müssen nichts tun. Ist es eine echte Bestellung, entfernen Sie die Markierung und melden Sie sie.",
  },
  no_show_lines: {
    message:
      "Nichts in der Bestellung wurde zum Show-Preis verkauft; solche Bestellungen werden nicht gemeldet.",
    fix: "Sie müssen nichts tun. Oder stellen Sie ein, dass auch solche Bestellungen gemeldet werden.",
  },
  order_half_placed: {
    message:
      "Medusa wurde beim Anlegen dieser Bestellung unterbrochen: Sie hat keinen Warenkorb und vielleicht keine Zahlung. Möglicherweise wurde noch einmal bestellt.",
    fix: "Suchen Sie die Zahlung bei Ihrem Zahlungsanbieter. Ist sie bezahlt, melden Sie die Bestellung hier, sonst stornieren Sie sie.",
  },
  waited_too_long: {
    message:
      "Worauf die Meldung wartete, ist innerhalb der Frist nicht eingetreten ({{days}} Tage).",
    fix: "Sie müssen nichts tun. Melden Sie die Bestellung, wenn sie beim Dienst trotzdem zählen soll.",
  },
  order_conflict: {
    message: "Der Dienst hat die erste Meldung dieser Bestellnummer als Konflikt abgelehnt (409).",
    fix: "Fragen Sie den Support des Dienstes, wozu die Nummer gehört. Melden Sie die Bestellung erneut, sobald die Nummer frei ist.",
  },
  order_number_used: {
    message: "Unter dieser Bestellnummer wurde bereits eine andere Bestellung gemeldet.",
    fix: "Sie müssen nichts tun, es sei denn, die andere Bestellung war ein Versehen. Diese hier zählt in Ihren Ergebnissen.",
  },
  order_number_shared: {
    message:
      "Der Dienst hat eine Bestellnummer für mehrere Kampagnen vergeben, und diese Bestellung wird damit bereits gemeldet.",
    fix: "Sie müssen nichts tun. Das Verkaufte zählt in den Ergebnissen jeder Kampagne.",
  },
  connection_not_found: {
    message: "Die Verbindung gibt es nicht mehr; sie wurde gelöscht.",
    fix: "Laden Sie die Seite neu. Soll eine Bestellung für die Show zählen, teilen Sie es dem Dienst direkt mit.",
  },
  report_fields_failed: {
    message: "Die eigene Funktion reportFields des Shops ist fehlgeschlagen: {{problem}}",
    fix: "Korrigieren Sie reportFields in medusa-config.ts. Die Bestellung wird dann automatisch erneut gemeldet.",
  },
  report_store_error: {
    message:
      "Die Bestellung konnte wegen eines Fehlers in der eigenen Datenbank des Shops nicht gemeldet werden: {{problem}}",
    fix: "Sie müssen nichts tun: Der Shop versucht es automatisch weiter. Bleibt das Problem, prüfen Sie die Datenbank des Shops.",
  },
  price_differs: {
    message: "Ein Stück wurde mit {{charged}} berechnet, der Show-Preis war {{proven}}.",
    fix: "Prüfen Sie die Bestellung. Ein anderes Plugin oder eine Änderung von Hand kann den Preis gesetzt haben.",
  },
  tax_basis_differs: {
    message:
      "Der Show-Preis galt mit einer anderen Steuerbasis, als für die Position berechnet wurde.",
    fix: "Prüfen Sie die Steuer der Bestellung.",
  },
  price_expired: {
    message: "Der Show-Preis galt nicht mehr, als die Bestellung aufgegeben wurde.",
    fix: "Sie müssen nichts tun, es sei denn, Sie wollen zu diesem Preis nicht verkaufen: Der Zahlungsanbieter hat die Bestellung abgeschlossen, nachdem die Kasse verlassen wurde.",
  },
  campaign_over: {
    message: "Die Show war vorbei, als die Bestellung aufgegeben wurde.",
    fix: "Sie müssen nichts tun, es sei denn, Sie wollen zu diesem Preis nicht verkaufen.",
  },
  price_unproven: {
    message:
      "Die Position ist als Verkauf aus einer Show gekennzeichnet, aber ihr Preis ist nicht belegt.",
    fix: "Prüfen Sie den berechneten Preis.",
  },
  not_in_show: {
    message: "Das Produkt wurde aus der Show entfernt.",
    fix: "Fügen Sie es der Show wieder hinzu, wenn es dort verkauft werden soll.",
  },
  not_connected: {
    message:
      "Die Verbindung zum Dienst funktioniert nicht: Kein Warenkorb erhält den Preis der Show.",
    fix: "Öffnen Sie die Verbindung unter Einstellungen, Live-Commerce: Dort steht, was fehlt.",
  },
  connection_trouble: {
    message:
      "Aufrufe des Dienstes schlagen fehl: Warenkörbe erhalten den Preis der Show vielleicht nicht.",
    fix: "Öffnen Sie die Verbindung unter Einstellungen, Live-Commerce: Dort steht, was fehlt.",
  },
  other_currency: {
    message:
      "Die Show verkauft in {{show_currency}}, die Region der Verbindung aber in {{currency}}: Kein Warenkorb erhält den Preis der Show.",
    fix: "Wählen Sie für die Verbindung eine Region, die in {{show_currency}} verkauft, oder legen Sie die Preise der Show in {{currency}} fest.",
  },
  not_in_store: {
    message: "Das Produkt der Show gehört nicht zu diesem Vertriebskanal.",
    fix: "Fügen Sie es dem Vertriebskanal hinzu und veröffentlichen Sie es, oder wählen Sie ein anderes Produkt für die Show.",
  },
  not_for_sale: {
    message: "Das Produkt wird in diesem Shop nicht mehr verkauft.",
    fix: "Veröffentlichen Sie es wieder im Vertriebskanal der Verbindung, oder entfernen Sie es aus der Show.",
  },
  failed: {
    message: "Das Produkt konnte nicht an den Dienst gesendet werden.",
    fix: "Öffnen Sie das Produkt in der Produktliste und senden Sie es erneut.",
  },
  not_sent_yet: {
    message: "Das Produkt wartet darauf, an den Dienst gesendet zu werden.",
    fix: "Sie müssen nichts tun: Es wird gleich gesendet.",
  },
  no_show_price: {
    message: "Die Show hat keinen Preis für das Produkt.",
    fix: "Legen Sie in der Show einen Preis fest.",
  },
  not_available: {
    message: "Der Dienst führt das Produkt als nicht verfügbar.",
    fix: "Prüfen Sie den Bestand, oder machen Sie das Produkt in der Show verfügbar.",
  },
  price_above_catalog: {
    message: "Der Show-Preis liegt über dem Preis im Shop.",
    fix: "Senken Sie den Show-Preis. Oder setzen Sie die Option whenCatalogIsCheaper auf catalog: Dann gilt der niedrigere Preis.",
  },
  out_of_stock: {
    message: "Das Produkt ist ausverkauft.",
    fix: "Füllen Sie den Bestand an einem Standort des Vertriebskanals auf, oder nehmen Sie das Produkt aus der Show.",
  },
  variants_out_of_stock: {
    message: "Ausverkaufte Varianten ({{count}} von {{of}}): {{variants}}.",
    fix: "Füllen Sie deren Bestand auf, oder zeigen Sie die anderen.",
  },
  no_time: {
    message: "Es fehlt der Zeitpunkt der Änderung, deshalb lässt sie sich nicht einordnen.",
    fix: "Senden Sie sie aus dem Dashboard des Dienstes erneut, oder warten Sie: Der Shop gleicht jede Nacht ab.",
  },
  from_the_future: {
    message: "Der angegebene Zeitpunkt der Änderung liegt nach dem Versand.",
    fix: "Wenden Sie die Zustellung an, sobald dieser Zeitpunkt erreicht ist. Jetzt würde sie alle späteren Änderungen verdecken.",
  },
  ids_missing: {
    message: "Es fehlt die Angabe, worum es geht: {{fields}}.",
    fix: "Melden Sie es mit dem Inhalt dem Dienst. Andere Zustellungen sind nicht betroffen.",
  },
  unknown_topic: {
    message: "Diese Version des Plugins kennt das Thema „{{topic}}“ nicht.",
    fix: "Aktualisieren Sie das Plugin und wenden Sie die Zustellung dann erneut an.",
  },
  unknown_version: {
    message:
      "Die Version „{{version}}“ des Inhalts ist unbekannt; diese Version des Plugins liest v1.",
    fix: "Stellen Sie den Webhook beim Dienst auf v1, oder aktualisieren Sie das Plugin. Wenden Sie die Zustellung dann erneut an.",
  },
  not_readable: {
    message: "Der gespeicherte Inhalt ist nicht mehr lesbar.",
    fix: "Melden Sie den Fehler.",
  },
  not_applied: {
    message: "Die Zustellung konnte nicht angewendet werden: {{problem}}",
    fix: "Der Shop versucht es einen Tag lang automatisch; danach wenden Sie sie erneut an.",
  },
  resent: {
    message: "Sie wiederholt eine bekannte Zustellung mit einem anderen Zeitpunkt.",
    fix: "Sie müssen nichts tun.",
  },
  fields_unread: {
    message: "Sie wurde ohne {{fields}} angewendet; das war nicht lesbar.",
    fix: "Melden Sie es mit dem Inhalt dem Dienst.",
  },
  fields_missing: {
    message:
      "Sie wurde ohne {{fields}} angewendet; das fehlt ihr: Ohne Status gilt eine Show als geplant, ohne isPublished als nicht veröffentlicht.",
    fix: "Melden Sie es mit dem Inhalt dem Dienst. Die nächste Zustellung, die es enthält, stellt es richtig.",
  },
  alias_differs: {
    message: "{{name}} ist „{{value}}“, gehört aber zu „{{record}}“.",
    fix: "Sie müssen nichts tun.",
  },
  webhook_not_registered: {
    message: "Der Dienst meldet diesem Shop keine Shows: Es ist kein Webhook registriert.",
    fix: "Registrieren Sie den Webhook.",
  },
  webhook_key_unknown: {
    message:
      "Der Webhook hat keinen Signaturschlüssel, deshalb werden seine Zustellungen abgelehnt.",
    fix: "Wechseln Sie den Schlüssel, oder geben Sie ihn von Hand ein.",
  },
  webhook_warning: {
    message: "Laut Dienst schlagen Zustellungen seit mindestens 30 Minuten fehl.",
    fix: "Prüfen Sie, ob die Adresse dieses Shops von außen erreichbar ist. Nach 60 Minuten sendet der Dienst nicht mehr.",
  },
  webhook_disabled: {
    message: "Der Dienst sendet nicht mehr, weil Zustellungen 60 Minuten lang fehlschlugen.",
    fix: "Prüfen Sie, ob die Adresse dieses Shops von außen erreichbar ist, und registrieren Sie den Webhook erneut oder aktivieren Sie ihn im Dashboard des Dienstes. Verpasstes wird automatisch nachgeholt.",
  },
  webhook_missing: {
    message: "Der Dienst kennt diesen Webhook nicht mehr.",
    fix: "Registrieren Sie den Webhook erneut.",
  },
  applying_paused: {
    message: "Zustellungen werden gespeichert, aber nicht angewendet: Das Anwenden ist angehalten.",
    fix: "Setzen Sie das Anwenden fort. Bis dahin geht nichts verloren.",
  },
  clock_skew: {
    message:
      "Die Uhren dieses Shops und des Dienstes weichen um {{seconds}} Sekunden voneinander ab.",
    fix: "Stellen Sie die Uhr dieses Shops (NTP). Ab {{tolerance}} Sekunden Abweichung werden Zustellungen abgelehnt.",
  },
  deliveries_refused: {
    message: "Zuletzt wurden Zustellungen abgelehnt, und seitdem wurde keine angenommen.",
    fix: "Prüfen Sie Signaturschlüssel, Seiten-UID und die Uhr des Shops.",
  },
  deliveries_quarantined: {
    message: "Zurückgehaltene Zustellungen, die sich nicht einordnen lassen: {{count}}.",
    fix: "Öffnen Sie „Zustellungen“, lesen Sie den Grund und wählen Sie „Erneut anwenden“.",
  },
  deliveries_unknown: {
    message:
      "Zustellungen mit einem Thema oder einer Version, die dieses Plugin nicht kennt: {{count}}.",
    fix: "Aktualisieren Sie das Plugin und wenden Sie die Zustellungen dann erneut an.",
  },
  deliveries_failed: {
    message: "Zustellungen, die nicht angewendet werden konnten: {{count}}.",
    fix: "Öffnen Sie „Zustellungen“, lesen Sie den Grund und wählen Sie „Erneut anwenden“.",
  },
  listing_incomplete: {
    message: "Die Liste der Shows vom Dienst war unvollständig.",
    fix: "Sie müssen nichts tun: Sie wird erneut gelesen. Bleibt das Problem, melden Sie es dem Dienst.",
  },
  catalog_not_imported: {
    message: "Der Dienst kennt noch kein Produkt dieses Shops.",
    fix: "Starten Sie einen Import.",
  },
  encryption_key_missing: {
    message:
      "SVC_ENCRYPTION_KEYS ist nicht gesetzt: Token und Schlüssel können weder gespeichert noch gelesen werden.",
    fix: "Setzen Sie SVC_ENCRYPTION_KEYS und starten Sie den Shop neu; beim Speichern eines Tokens wird der Befehl dafür angezeigt.",
  },
  encryption_key_removed: {
    message:
      "Gespeicherte Geheimnisse ({{count}}) brauchen einen Schlüssel, der nicht in SVC_ENCRYPTION_KEYS steht: {{keys}}.",
    fix: "Setzen Sie den Schlüssel hinter den aktiven zurück und starten Sie alle Prozesse neu. Ist er verloren, geben Sie die API-Token erneut ein und erneuern Sie die Signaturschlüssel.",
  },
  encryption_key_old: {
    message:
      "Gespeicherte Geheimnisse ({{count}}) sind mit einem alten Schlüssel verschlüsselt: {{keys}}. Ohne ihn sind sie nicht lesbar.",
    fix: "Führen Sie npx medusa-plugin-svc rotate-keys --apply aus, bevor Sie ihn aus SVC_ENCRYPTION_KEYS entfernen.",
  },
  worker_stuck: {
    message: "Seit {{minutes}} Minuten wartet Arbeit, die niemand ausführt.",
    fix: "Prüfen Sie, ob ein Prozess im Modus worker oder shared läuft (MEDUSA_WORKER_MODE).",
  },
  orders_failed: {
    message: "Bestellungen, die dem Dienst nicht gemeldet werden konnten: {{count}}.",
    fix: "Öffnen Sie „Bestellungen“, lesen Sie den Grund und wählen Sie „Erneut melden“.",
  },
  orders_delayed: {
    message:
      "Bestellungen, die seit über einer Stunde nicht gemeldet wurden, weil der Shop selbst einen Fehler hat: {{count}}.",
    fix: "Öffnen Sie „Bestellungen“ und lesen Sie den Grund. Ist der Fehler behoben, werden sie automatisch gemeldet.",
  },
  products_failed: {
    message: "Abgelehnte oder nach 24 Stunden nicht gesendete Produkte: {{count}}.",
    fix: "Öffnen Sie „Produkte“, lesen Sie den Grund und wählen Sie „Jetzt senden“.",
  },
  core_table_changed: {
    message:
      "Dieser Version von Medusa fehlen Daten, auf die sich das Plugin verlässt ({{missing}}); ein Teil davon arbeitet nicht.",
    fix: "Aktualisieren Sie medusa-plugin-svc auf eine Version, die diese Version von Medusa unterstützt, oder kehren Sie zur vorherigen zurück.",
  },
  unexpected: {
    message: "Die Shows konnten nicht vom Dienst gelesen werden.",
    fix: "Sie müssen nichts tun: Der Shop versucht es automatisch weiter.",
  },
  invalid_url: {
    message: "Die Adresse des Dienstes ist ungültig.",
    fix: "Geben Sie sie als https://host/pfad ein, ohne Benutzer, Abfrage oder Fragment.",
  },
  insecure_url: {
    message: "Diese Adresse ist nicht erlaubt: Sie muss öffentlich sein und mit https:// beginnen.",
    fix: "Korrigieren Sie die Adresse; für den Webhook setzen Sie SVC_BACKEND_URL auf die https-Adresse des Shops und starten Sie ihn neu.",
  },
  token_required: {
    message: "Die Adresse des Dienstes hat sich geändert.",
    fix: "Geben Sie das API-Token noch einmal ein, damit es nicht an eine falsche Adresse gesendet wird.",
  },
  sales_channel_not_found: {
    message: "Diesen Vertriebskanal gibt es nicht.",
    fix: "Wählen Sie einen Vertriebskanal des Shops.",
  },
  region_not_found: {
    message: "Diese Region gibt es nicht.",
    fix: "Wählen Sie eine Region des Shops.",
  },
  backend_url_missing: {
    message:
      "Der Shop kennt seine eigene öffentliche Adresse nicht, daher lässt sich kein Webhook registrieren.",
    fix: "Setzen Sie SVC_BACKEND_URL darauf, zum Beispiel https://shop.example.com, und starten Sie den Shop neu.",
  },
  secret_unreadable: {
    message: "Ein gespeichertes Geheimnis lässt sich nicht entschlüsseln.",
    fix: "Tragen Sie den Schlüssel, mit dem es verschlüsselt wurde, wieder in SVC_ENCRYPTION_KEYS ein, oder geben Sie Token und Signaturschlüssel neu ein.",
  },
  not_found: {
    message: "Den Eintrag gibt es nicht mehr.",
    fix: "Laden Sie die Seite neu.",
  },
  connection_read_only: {
    message: "Diese Verbindung ist in medusa-config.ts festgelegt.",
    fix: "Ändern Sie sie dort und starten Sie den Shop neu.",
  },
  connection_exists: {
    message: "Diese Seite ist bereits verbunden.",
    fix: "Ändern Sie die vorhandene Verbindung, oder löschen Sie sie zuerst.",
  },
  sync_running: {
    message: "Es läuft bereits ein Import dieser Verbindung.",
    fix: "Warten Sie, bis er fertig ist, oder brechen Sie ihn zuerst ab.",
  },
  sync_not_running: {
    message: "Es läuft kein Import.",
    fix: "Starten Sie zuerst einen.",
  },
  webhook_limit: {
    message:
      "Die Seite hat bereits so viele Webhooks wie erlaubt, und keiner davon gehört diesem Shop.",
    fix: "Löschen Sie im Dashboard des Dienstes einen, der nicht mehr gebraucht wird.",
  },
  webhook_headers_unknown: {
    message:
      "Der Dienst hat diesen Webhook abgeschaltet, und einem neuen würden die eigenen Header fehlen.",
    fix: "Aktivieren Sie ihn im Dashboard des Dienstes, oder registrieren Sie ihn mit den Headern neu.",
  },
  order_not_reportable: {
    message: "Die Bestellung wurde storniert oder gelöscht und kann nicht gemeldet werden.",
    fix: "Sie müssen nichts tun.",
  },
  svc_call_failed: {
    message: "Der Dienst hat die Anfrage nicht ausgeführt.",
    fix: "Prüfen Sie Adresse und Token der Verbindung und versuchen Sie es gleich noch einmal.",
  },
} satisfies ReasonTexts

export default de

/** What the webhook's doctor finds: codes of their own, beside those that the service may give. */
export const findings: ReasonTexts = {
  backend_url_missing: de.backend_url_missing,
  address_not_public: {
    message:
      "Die Adresse {{url}} des Shops führt in ein privates Netz; dort erreicht der Dienst sie nicht.",
    fix: "Setzen Sie SVC_BACKEND_URL auf eine öffentliche https-Adresse dieses Shops, starten Sie ihn neu und registrieren Sie den Webhook erneut.",
  },
  address_insecure: {
    message:
      "Die Adresse {{url}} des Shops beginnt nicht mit https://, und der Dienst sendet nur an https-Adressen.",
    fix: "Machen Sie den Shop über https erreichbar, setzen Sie SVC_BACKEND_URL auf diese Adresse, starten Sie ihn neu und registrieren Sie den Webhook erneut.",
  },
  not_registered: de.webhook_not_registered,
  subscriber_gone: de.webhook_missing,
  subscriber_disabled: de.webhook_disabled,
  subscriber_warning: de.webhook_warning,
  other_address: {
    message: "Der Dienst sendet an {{registered}}, der Shop empfängt aber unter {{expected}}.",
    fix: "Registrieren Sie den Webhook erneut: Er bekommt dann die richtige Adresse.",
  },
  topics_missing: {
    message: "Diese Themen sendet der Dienst nicht: {{topics}}.",
    fix: "Registrieren Sie den Webhook erneut, ohne Themen auszuwählen, damit jede Änderung gesendet wird.",
  },
  other_subscribers: {
    message:
      "Die Seite hat weitere Webhooks ({{count}}): {{names}}. Jeder erhält eigene Zustellungen, die mit einem eigenen Schlüssel signiert sind. Eine Seite darf insgesamt {{limit}} haben.",
    fix: "Sie müssen nichts tun. Ist einer davon ein alter Webhook dieses Shops, löschen Sie ihn im Dashboard des Dienstes.",
  },
  service_unreachable: {
    message: "Der Dienst konnte nicht nach dem Webhook gefragt werden: {{problem}}",
    fix: "Prüfen Sie Adresse und Token der Verbindung.",
  },
  key_missing: de.webhook_key_unknown,
  key_unreadable: {
    message: "Der Signaturschlüssel ist gespeichert, lässt sich hier aber nicht entschlüsseln.",
    fix: "Tragen Sie den Schlüssel, mit dem er verschlüsselt wurde, wieder in SVC_ENCRYPTION_KEYS ein, oder wechseln Sie den Signaturschlüssel.",
  },
  not_reached: {
    message: "Die eigene Adresse des Shops hat nicht geantwortet: {{problem}}",
    fix: "Öffnen Sie {{url}} aus einem anderen Netz. Antwortet die Adresse auch dort nicht, prüfen Sie DNS, Firewall und Proxy.",
  },
  not_this_store: {
    message:
      "{{url}} antwortet mit {{status}}, aber die Antwort kommt nicht von diesem Plugin: Etwas vor dem Shop antwortet an seiner Stelle.",
    fix: "Richten Sie Proxy oder Hosting so ein, dass POST-Anfragen an /hooks/svc/ ohne Anmeldung und unverändert beim Shop ankommen.",
  },
  body_limit: {
    message: "Etwas vor dem Shop lehnt Anfragen mit {{bytes}} Bytes ab ({{status}}).",
    fix: "Erhöhen Sie in Ihrem Proxy die erlaubte Größe von Anfragen an /hooks/svc/ auf 1 MiB (nginx: client_max_body_size).",
  },
  body_changed: {
    message:
      "Eine Anfrage, die der Shop selbst signiert hat, war nach dem Weg über {{url}} nicht mehr gültig: Etwas verändert sie unterwegs.",
    fix: "Schalten Sie für /hooks/svc/ ab, was Inhalt oder Header von Anfragen verändert (eine Firewall, die JSON bereinigt, oder ein Gateway, das es umschreibt).",
  },
  signature_stripped: {
    message: "Anfragen, die ohne die Header der Signatur kamen: {{count}}, zuletzt {{last_at}}.",
    fix: "Richten Sie Ihren Proxy so ein, dass er die Header X-Svc-Signature und X-Svc-Timestamp weitergibt. Anfragen von Fremden sehen genauso aus: Ändern Sie nur etwas, wenn keine Zustellung angenommen wird.",
  },
  wrong_key: {
    message:
      "Anfragen, die mit einem anderen Schlüssel signiert oder unterwegs verändert wurden: {{count}}, zuletzt {{last_at}}.",
    fix: "Wechseln Sie den Schlüssel, oder geben Sie den ein, den das Dashboard des Dienstes angezeigt hat.",
  },
  clock: {
    message:
      "Richtig signierte Zustellungen, die als zu alt oder zu früh abgelehnt wurden: {{count}}, die letzte um {{seconds}} Sekunden.",
    fix: "Stellen Sie die Uhr dieses Shops (NTP). Hält ein Gateway Zustellungen zurück, setzen Sie SVC_WEBHOOK_TOLERANCE_SECONDS auf die Zeit, die das dauern darf.",
  },
  wrong_page: {
    message:
      "Richtig signierte Zustellungen, die für eine andere Seite als {{page}} waren: {{count}}.",
    fix: "Prüfen Sie die Seiten-UID in den Einstellungen der Verbindung.",
  },
  wrong_type: {
    message:
      "Anfragen, deren Inhaltstyp oder Kodierung nicht einfaches JSON war: {{count}}, zuletzt {{last_at}}.",
    fix: "Richten Sie Ihren Proxy so ein, dass er den Inhalt unverändert weitergibt, ohne ihn zu komprimieren oder umzuwandeln.",
  },
  too_large: {
    message: "Anfragen, die größer als {{bytes}} Bytes waren: {{count}}, zuletzt {{last_at}}.",
    fix: "Erhöhen Sie SVC_WEBHOOK_MAX_BYTES, wenn der Dienst so große Zustellungen sendet.",
  },
  store_overloaded: {
    message:
      "Zustellungen, die der Shop nicht rechtzeitig annehmen konnte und deshalb später noch einmal verlangte: {{count}}, zuletzt {{last_at}}.",
    fix: "Prüfen Sie die Datenbank: ihre Antwortzeiten, ihre Festplatte und die Zahl ihrer Verbindungen.",
  },
  silent: {
    message: "Seit {{last_at}} ist keine Zustellung angekommen.",
    fix: "Drücken Sie hier „Auf einen Test warten“ und senden Sie dann den Test in den Webhook-Einstellungen des Dienstes.",
  },
  never_heard: {
    message: "Seit der Webhook registriert wurde, ist keine Zustellung angekommen.",
    fix: "Drücken Sie hier „Auf einen Test warten“ und senden Sie dann den Test in den Webhook-Einstellungen des Dienstes.",
  },
  applying_paused: de.applying_paused,
  well: {
    message: "Zustellungen kommen an und sind richtig signiert, zuletzt {{last_at}}.",
    fix: "Sie müssen nichts tun.",
  },
}
