import type { ReasonTexts } from "../texts"

const fr = {
  channel_closed: {
    message: "Le canal de vente est désactivé ou a été supprimé : rien n'y est en vente.",
    fix: "Activez-le ou choisissez-en un autre.",
  },
  region_gone: { message: "La région n'existe plus.", fix: "Choisissez une autre région." },
  no_products: {
    message: "Le canal de vente n'a aucun produit publié.",
    fix: "Publiez-y un produit ou choisissez un autre canal de vente.",
  },
  no_prices: {
    message: "Aucun produit du canal de vente n'a de prix en {{currency}}.",
    fix: "Choisissez la région dont la devise est celle de vos prix, ou ajoutez des prix dans cette devise.",
  },
  storefront_unreachable: {
    message: "La boutique n'a pas répondu ({{problem}}).",
    fix: "Ouvrez l'adresse dans un navigateur. Si elle s'y ouvre, vérifiez que le serveur de la boutique l'atteint aussi.",
  },
  not_the_service: {
    message: "Quelque chose répond à l'adresse du service, mais ce n'est pas l'API du service.",
    fix: "Saisissez l'adresse indiquée dans les paramètres d'API de la page.",
  },
  storefront_refused: {
    message: "La boutique a répondu avec le statut HTTP {{status}}.",
    fix: "Saisissez l'adresse que les clients ouvrent.",
  },
  storefront_private: {
    message:
      "L'adresse de la boutique mène à un réseau privé, où les clients ne peuvent pas l'ouvrir.",
    fix: "Saisissez l'adresse publique. Pour le développement, définissez SVC_ALLOW_INSECURE_URLS=true et redémarrez la boutique.",
  },
  nothing_sent: {
    message: "L'importation est terminée, mais le service n'a aucun des produits.",
    fix: "Ouvrez la liste des produits : la raison est indiquée pour chacun.",
  },
  import_ended: { message: "L'importation n'est pas allée jusqu'au bout.", fix: "Relancez-la." },
  delivery_refused: {
    message: "Une notification est arrivée et a été refusée avec le statut HTTP {{status}}.",
    fix: "Choisissez « Trouver la cause » sur la page de la connexion.",
  },
  campaign_ended: {
    message: "Le show a été annulé ou supprimé, ou son échéance est passée : rien n'y est vendu.",
    fix: "Repoussez l'échéance de la campagne, ou utilisez un show encore ouvert.",
  },
  undeclared: {
    message:
      "Cette connexion était déclarée dans medusa-config.ts et ne l'est plus. Son travail est en attente.",
    fix: "Déclarez-la de nouveau et redémarrez la boutique, saisissez un jeton d'API pour la gérer ici, ou supprimez-la.",
  },
  svc_unreachable: {
    message: "Le service est injoignable à son adresse.",
    fix: "Vérifiez l'adresse du service dans les paramètres de la connexion. La boutique réessaie automatiquement.",
  },
  svc_timeout: {
    message: "Le service n'a pas répondu à temps.",
    fix: "Rien à faire : la boutique réessaie automatiquement.",
  },
  svc_unavailable: {
    message: "Le service rencontre un problème.",
    fix: "Rien à faire : la boutique réessaie automatiquement.",
  },
  svc_rate_limited: {
    message: "Le service a reçu trop de requêtes et demande une pause.",
    fix: "Rien à faire : la boutique attend le temps demandé, puis reprend.",
  },
  svc_unauthorized: {
    message: "Le service n'accepte pas le jeton d'API.",
    fix: "Créez un nouveau jeton d'API dans les paramètres de votre page, puis collez-le dans la connexion.",
  },
  svc_not_found: {
    message: "Le service ne connaît pas l'élément demandé.",
    fix: "Vérifiez que la campagne ou l'élément existe toujours dans le service.",
  },
  svc_rejected: {
    message: "Le service a refusé les données envoyées.",
    fix: "Lisez la réponse du service et corrigez les données ; elles sont ensuite renvoyées.",
  },
  svc_unreadable: {
    message: "Le service a répondu sous une forme que cette version ne connaît pas.",
    fix: "Mettez le plugin à jour ou signalez l'erreur.",
  },
  svc_paused: {
    message: "Après plusieurs échecs de suite, la boutique fait une courte pause.",
    fix: "Rien à faire : la boutique réessaie ensuite.",
  },
  svc_insecure: {
    message:
      "L’adresse du service ne commence pas par https:// ou mène dans un réseau privé : la boutique ne l’appelle pas.",
    fix: "Saisissez une adresse qui commence par https:// et qui n’est pas dans un réseau privé. Pour le développement : définissez SVC_ALLOW_INSECURE_URLS=true et redémarrez la boutique.",
  },
  no_variants: {
    message: "Le produit n'a aucune variante, donc aucun prix ; il ne peut pas être vendu.",
    fix: "Ajoutez une variante avec un prix.",
  },
  no_price: {
    message: "Aucune variante n'a de prix en {{currency}}, la monnaie de la région « {{region}} ».",
    fix: "Ajoutez un prix en {{currency}} aux variantes.",
  },
  variants_without_price: {
    message:
      "Le produit est dans le service, sans les variantes qui n'ont pas de prix en {{currency}} : {{variants}}.",
    fix: "Ajoutez un prix en {{currency}} à ces variantes.",
  },
  zero_price: {
    message: "Le produit est dans le service avec un prix de 0 : {{variants}}.",
    fix: "Fixez un prix en {{currency}}, sauf s'il doit être gratuit.",
  },
  image_unusable: {
    message:
      "Le produit est dans le service, sans les images dont l'adresse n'est pas valable : {{images}}.",
    fix: "Importez de nouveau ces images ou corrigez leurs adresses.",
  },
  incomplete: {
    message: "Il manque au produit des données exigées par le service ({{fields}}).",
    fix: "Complétez le produit ; il est alors envoyé automatiquement.",
  },
  not_published: {
    message: "Le produit n'est pas publié, il n'est donc pas en vente dans le service.",
    fix: "Publiez le produit s'il doit être vendu.",
  },
  not_in_channel: {
    message: "Le produit n'est pas dans le canal de vente de la connexion.",
    fix: "Ajoutez-le au canal de vente s'il doit y être vendu.",
  },
  channel_disabled: {
    message: "Le canal de vente de la connexion est désactivé ou supprimé : rien n'est en vente.",
    fix: "Activez le canal de vente ou choisissez-en un autre dans les paramètres de la connexion.",
  },
  excluded: {
    message: "Les paramètres de la connexion excluent ce produit ({{rule}}).",
    fix: "Changez dans les paramètres de la connexion les produits à envoyer, s'il doit y être vendu.",
  },
  excluded_by_mapper: {
    message: "La fonction mapProduct de la boutique exclut ce produit.",
    fix: "Modifiez mapProduct dans medusa-config.ts si le produit doit y être vendu.",
  },
  mapper_failed: {
    message: "La fonction mapProduct de la boutique a échoué pour ce produit : {{problem}}.",
    fix: "Corrigez mapProduct dans medusa-config.ts et redémarrez la boutique.",
  },
  unreadable: {
    message: "Le produit n'a pas pu être converti au format du service : {{problem}}.",
    fix: "Cherchez ce que ce produit a d'inhabituel et signalez l'erreur.",
  },
  deleted: {
    message: "Le produit a été supprimé de la boutique.",
    fix: "Rien à faire.",
  },
  region_missing: {
    message: "La région de la connexion n'existe plus : aucun prix ne peut être lu.",
    fix: "Choisissez une région dans les paramètres de la connexion.",
  },
  store_error: {
    message: "Le produit n'a pas pu être lu dans la boutique : {{problem}}",
    fix: "Rien à faire : la boutique réessaie automatiquement. Si le problème persiste, consultez son journal.",
  },
  import_failed: {
    message:
      "L'importation a été abandonnée un jour après son début, car les produits de la boutique n'ont pas pu être lus : {{problem}}",
    fix: "Consultez le journal et la base de données de la boutique, puis relancez l'importation.",
  },
  product_too_large: {
    message: "Le produit est trop volumineux pour le service, même envoyé seul.",
    fix: "Raccourcissez ses textes ou retirez des images ou des variantes.",
  },
  product_fails_alone: {
    message:
      "Les autres produits passent, celui-ci non. La boutique réessaie pendant un jour, de plus en plus rarement.",
    fix: "Si le problème persiste, cherchez ce que ce produit a d'inhabituel et signalez-le au service.",
  },
  given_up: {
    message: "La boutique a abandonné après 24 heures.",
    fix: "Les produits sont réessayés chaque nuit. « Envoyer maintenant », « Déclarer de nouveau » ou « Appliquer de nouveau » essaie tout de suite.",
  },
  endpoint_refuses: {
    message:
      "Le service n'accepte pas de produits à cette adresse ({{status}}) : rien n'est envoyé pour le moment.",
    fix: "Vérifiez l'adresse du service et ce que comprend votre abonnement. La boutique réessaie chaque minute.",
  },
  most_refused: {
    message: "Le service refuse la plupart des envois : la boutique fait une pause.",
    fix: "Corrigez ce que le service indique. La boutique réessaie quelques produits chaque minute.",
  },
  service_fails: {
    message: "Rien ne peut être envoyé pour le moment.",
    fix: "Rien à faire : la boutique réessaie au moins chaque minute.",
  },
  slow_down: {
    message: "Le service demande de ralentir ; la boutique attend le temps demandé.",
    fix: "Rien à faire : l'envoi reprend ensuite un peu plus lentement.",
  },
  payment_not_authorised: {
    message: "Le paiement de la commande n'est pas encore autorisé.",
    fix: "Rien à faire : la commande est déclarée dès que le paiement arrive.",
  },
  payment_not_captured: {
    message:
      "Le paiement de la commande n'est pas encore capturé ; elle n'est déclarée qu'ensuite.",
    fix: "Capturez le paiement, ou faites déclarer les commandes dès qu'elles sont passées.",
  },
  consent_missing: {
    message: "Le client n'a pas accepté que la commande soit déclarée au service.",
    fix: "Rien à faire, sauf si la boutique aurait dû le demander : elle définit svc_consent sur le panier.",
  },
  order_cancelled: {
    message: "La commande a été annulée avant d'être déclarée.",
    fix: "Rien à faire.",
  },
  order_deleted: {
    message: "La commande n'existe plus.",
    fix: "Rien à faire.",
  },
  email_excluded: {
    message: "Les commandes avec une adresse e-mail comme {{pattern}} ne sont pas déclarées.",
    fix: "Rien à faire. Ou changez les adresses exclues, puis déclarez la commande.",
  },
  sales_channel_excluded: {
    message: "Les commandes de ce canal de vente ne sont pas déclarées.",
    fix: "Rien à faire. Ou changez les canaux de vente exclus, puis déclarez la commande.",
  },
  draft_order: {
    message: "La commande est un brouillon.",
    fix: "Rien à faire.",
  },
  test_order: {
    message: "La commande est marquée comme test (svc_test dans ses métadonnées).",
    fix: "Rien à faire. Si c'est une vraie commande, retirez la marque, puis déclarez-la.",
  },
  no_show_lines: {
    message:
      "Rien dans la commande n'a été vendu au prix du show, et ces commandes ne sont pas déclarées.",
    fix: "Rien à faire. Ou faites déclarer aussi ces commandes.",
  },
  order_half_placed: {
    message:
      "Medusa s'est arrêté pendant la création de cette commande : elle n'a pas de panier et peut-être pas de paiement. Le client a pu commander de nouveau.",
    fix: "Cherchez le paiement chez votre prestataire. Si la commande est payée, déclarez-la ici ; sinon, annulez-la.",
  },
  waited_too_long: {
    message: "Ce que la déclaration attendait n'est pas arrivé dans le délai ({{days}} jours).",
    fix: "Rien à faire. Déclarez la commande si elle doit tout de même compter dans le service.",
  },
  order_conflict: {
    message:
      "Le service a refusé la première déclaration de ce numéro de commande comme un conflit (409).",
    fix: "Demandez à l'assistance du service à quoi correspond le numéro. Déclarez de nouveau la commande quand il est libre.",
  },
  order_number_used: {
    message: "Une autre commande a déjà été déclarée avec ce numéro.",
    fix: "Rien à faire, sauf si l'autre commande était une erreur. Celle-ci compte dans vos résultats.",
  },
  order_number_shared: {
    message:
      "Le service a donné un seul numéro de commande pour plusieurs campagnes, et cette commande est déjà déclarée avec ce numéro.",
    fix: "Rien à faire. Ce qui a été vendu compte dans les résultats de chaque campagne.",
  },
  connection_not_found: {
    message: "La connexion n'existe plus ; elle a été supprimée.",
    fix: "Rechargez la page. Si une commande doit compter pour le show, signalez-la directement au service.",
  },
  report_fields_failed: {
    message: "La fonction reportFields de la boutique a échoué : {{problem}}",
    fix: "Corrigez reportFields dans medusa-config.ts. La commande est ensuite déclarée automatiquement.",
  },
  report_store_error: {
    message:
      "La commande n'a pas pu être déclarée à cause d'une erreur dans la base de données de la boutique : {{problem}}",
    fix: "Rien à faire : la boutique réessaie automatiquement. Si le problème persiste, vérifiez sa base de données.",
  },
  price_differs: {
    message: "Une unité a été facturée {{charged}} alors que le prix du show était {{proven}}.",
    fix: "Vérifiez la commande. Un autre plugin ou une modification manuelle a pu fixer le prix.",
  },
  tax_basis_differs: {
    message: "Le prix du show reposait sur une autre base de taxe que celle facturée sur la ligne.",
    fix: "Vérifiez la taxe de la commande.",
  },
  price_expired: {
    message: "Le prix du show n'était plus valable quand la commande a été passée.",
    fix: "Rien à faire, sauf si vous ne voulez pas vendre à ce prix : le prestataire de paiement a passé la commande après que le client avait quitté la caisse.",
  },
  campaign_over: {
    message: "Le show était terminé quand la commande a été passée.",
    fix: "Rien à faire, sauf si vous ne voulez pas vendre à ce prix.",
  },
  price_unproven: {
    message: "La ligne est marquée comme vendue dans un show, mais son prix n'est pas prouvé.",
    fix: "Vérifiez le prix facturé.",
  },
  not_in_show: {
    message: "Le produit a été retiré du show.",
    fix: "Ajoutez-le de nouveau au show s'il doit y être vendu.",
  },
  not_connected: {
    message: "La connexion au service ne fonctionne pas : aucun panier n'obtient le prix du show.",
    fix: "Ouvrez la connexion sous Paramètres, Live shopping : elle indique ce qui ne va pas.",
  },
  connection_trouble: {
    message:
      "Des appels au service échouent : des paniers risquent de ne pas obtenir le prix du show.",
    fix: "Ouvrez la connexion sous Paramètres, Live shopping : elle indique ce qui ne va pas.",
  },
  other_currency: {
    message:
      "Le show vend en {{show_currency}}, mais la région de la connexion vend en {{currency}} : aucun panier n'obtient le prix du show.",
    fix: "Choisissez pour la connexion une région qui vend en {{show_currency}}, ou fixez les prix du show en {{currency}}.",
  },
  not_in_store: {
    message: "Le produit du show n'est pas dans ce canal de vente.",
    fix: "Ajoutez-le au canal de vente et publiez-le, ou choisissez un autre produit pour le show.",
  },
  not_for_sale: {
    message: "Le produit n'est plus en vente dans cette boutique.",
    fix: "Publiez-le de nouveau dans le canal de vente de la connexion, ou retirez-le du show.",
  },
  failed: {
    message: "Le produit n'a pas pu être envoyé au service.",
    fix: "Ouvrez le produit dans la liste des produits et renvoyez-le.",
  },
  not_sent_yet: {
    message: "Le produit attend d'être envoyé au service.",
    fix: "Rien à faire : il est envoyé dans un instant.",
  },
  no_show_price: {
    message: "Le show n'a pas de prix pour ce produit.",
    fix: "Fixez son prix dans le show.",
  },
  not_available: {
    message: "Le service affiche le produit comme indisponible.",
    fix: "Vérifiez le stock, ou rendez le produit disponible dans le show.",
  },
  price_above_catalog: {
    message: "Le prix du show est supérieur au prix de la boutique.",
    fix: "Baissez le prix du show. Ou réglez l'option whenCatalogIsCheaper sur catalog : le prix le plus bas s'applique alors.",
  },
  out_of_stock: {
    message: "Le produit est en rupture de stock.",
    fix: "Réapprovisionnez un emplacement du canal de vente, ou retirez le produit du show.",
  },
  variants_out_of_stock: {
    message: "Variantes en rupture de stock ({{count}} sur {{of}}) : {{variants}}.",
    fix: "Réapprovisionnez-les, ou montrez les autres.",
  },
  no_time: {
    message: "La date du changement manque ; il ne peut donc pas être remis dans l'ordre.",
    fix: "Renvoyez-la depuis le tableau de bord du service, ou attendez : la boutique se synchronise chaque nuit.",
  },
  from_the_future: {
    message: "Le changement est daté après l'envoi de la notification.",
    fix: "Appliquez la notification une fois cette date atteinte. Maintenant, elle masquerait tous les changements suivants.",
  },
  ids_missing: {
    message: "Rien n'indique de quoi il s'agit ; il manque : {{fields}}.",
    fix: "Signalez-le au service avec le contenu. Les autres notifications ne sont pas touchées.",
  },
  unknown_topic: {
    message: "Cette version du plugin ne connaît pas le sujet « {{topic}} ».",
    fix: "Mettez le plugin à jour, puis appliquez de nouveau la notification.",
  },
  unknown_version: {
    message: "La version « {{version}} » du contenu est inconnue ; cette version du plugin lit v1.",
    fix: "Réglez le webhook sur v1 dans le service ou mettez le plugin à jour, puis appliquez de nouveau la notification.",
  },
  not_readable: {
    message: "Le contenu enregistré n'est plus lisible.",
    fix: "Signalez l'erreur.",
  },
  not_applied: {
    message: "La notification n'a pas pu être appliquée : {{problem}}",
    fix: "La boutique réessaie automatiquement pendant un jour ; ensuite, appliquez-la de nouveau.",
  },
  resent: {
    message: "Elle répète une notification connue, avec une autre date.",
    fix: "Rien à faire.",
  },
  fields_unread: {
    message: "Elle a été appliquée sans {{fields}}, qui n'était pas lisible.",
    fix: "Signalez-le au service avec le contenu.",
  },
  fields_missing: {
    message:
      "Elle a été appliquée sans {{fields}}, qui y manque : sans statut, un show compte comme prévu, sans isPublished comme non publié.",
    fix: "Signalez-le au service avec le contenu. La prochaine livraison qui l'indique corrige tout.",
  },
  alias_differs: {
    message: "{{name}} vaut « {{value}} », mais appartient à « {{record}} ».",
    fix: "Rien à faire.",
  },
  webhook_not_registered: {
    message: "Le service n'informe pas cette boutique des shows : aucun webhook n'est enregistré.",
    fix: "Enregistrez le webhook.",
  },
  webhook_key_unknown: {
    message: "Le webhook n'a pas de clé de signature : ses notifications sont refusées.",
    fix: "Renouvelez la clé, ou saisissez-la à la main.",
  },
  webhook_warning: {
    message: "Le service signale des notifications en échec depuis 30 minutes au moins.",
    fix: "Vérifiez que l'adresse de cette boutique est joignable de l'extérieur. Après 60 minutes, le service cesse d'envoyer.",
  },
  webhook_disabled: {
    message: "Le service a cessé d'envoyer après 60 minutes de notifications en échec.",
    fix: "Vérifiez que l'adresse de cette boutique est joignable de l'extérieur, puis enregistrez de nouveau le webhook ou activez-le dans le tableau de bord du service. Ce qui a été manqué est récupéré automatiquement.",
  },
  webhook_missing: {
    message: "Le service ne connaît plus ce webhook.",
    fix: "Enregistrez de nouveau le webhook.",
  },
  applying_paused: {
    message: "Les notifications sont conservées sans être appliquées : l'application est en pause.",
    fix: "Reprenez l'application. Rien n'est perdu entre-temps.",
  },
  clock_skew: {
    message: "Les horloges de cette boutique et du service ont {{seconds}} secondes d'écart.",
    fix: "Réglez l'horloge de cette boutique (NTP). Au-delà de {{tolerance}} secondes, les notifications sont refusées.",
  },
  deliveries_refused: {
    message: "Des notifications ont été refusées récemment, et aucune n'a été acceptée depuis.",
    fix: "Vérifiez la clé de signature, l'UID de la page et l'horloge de la boutique.",
  },
  deliveries_quarantined: {
    message: "Notifications mises de côté faute de pouvoir être situées : {{count}}.",
    fix: "Ouvrez « Notifications », lisez la raison et choisissez « Appliquer de nouveau ».",
  },
  deliveries_unknown: {
    message: "Notifications dont le plugin ne connaît pas le sujet ou la version : {{count}}.",
    fix: "Mettez le plugin à jour, puis appliquez-les de nouveau.",
  },
  deliveries_failed: {
    message: "Notifications qui n'ont pas pu être appliquées : {{count}}.",
    fix: "Ouvrez « Notifications », lisez la raison et choisissez « Appliquer de nouveau ».",
  },
  listing_incomplete: {
    message: "La liste des shows du service était incomplète.",
    fix: "Rien à faire : elle est relue. Si le problème persiste, signalez-le au service.",
  },
  catalog_not_imported: {
    message: "Le service ne connaît encore aucun produit de cette boutique.",
    fix: "Lancez un import.",
  },
  encryption_key_missing: {
    message:
      "SVC_ENCRYPTION_KEYS n'est pas défini : jetons et clés ne peuvent être ni enregistrés ni lus.",
    fix: "Définissez SVC_ENCRYPTION_KEYS et redémarrez la boutique ; l'enregistrement d'un jeton affiche la commande qui crée une clé.",
  },
  encryption_key_removed: {
    message:
      "Des secrets enregistrés ({{count}}) ont besoin d’une clé de chiffrement absente de SVC_ENCRYPTION_KEYS : {{keys}}.",
    fix: "Remettez la clé après la clé active et redémarrez tous les processus. Si elle est perdue, saisissez à nouveau les jetons d’API et renouvelez les clés de signature.",
  },
  encryption_key_old: {
    message:
      "Des secrets enregistrés ({{count}}) sont chiffrés avec une ancienne clé : {{keys}}. Sans elle, ils sont illisibles.",
    fix: "Exécutez npx medusa-plugin-svc rotate-keys --apply avant de la retirer de SVC_ENCRYPTION_KEYS.",
  },
  worker_stuck: {
    message: "Du travail attend depuis {{minutes}} minutes sans que personne ne le prenne.",
    fix: "Vérifiez qu'un processus tourne en mode worker ou shared (MEDUSA_WORKER_MODE).",
  },
  orders_failed: {
    message: "Commandes qui n'ont pas pu être déclarées au service : {{count}}.",
    fix: "Ouvrez « Commandes », lisez la raison et choisissez « Déclarer de nouveau ».",
  },
  orders_delayed: {
    message:
      "Commandes non déclarées depuis plus d'une heure à cause d'une erreur de la boutique elle-même : {{count}}.",
    fix: "Ouvrez « Commandes » et lisez la raison. Elles seront déclarées automatiquement une fois l'erreur corrigée.",
  },
  products_failed: {
    message: "Produits refusés par le service ou abandonnés : {{count}}.",
    fix: "Ouvrez « Produits », lisez la raison et choisissez « Envoyer maintenant ».",
  },
  core_table_changed: {
    message:
      "Cette version de Medusa n'a plus certaines données dont dépend le plugin ({{missing}}) ; une partie ne fonctionne pas.",
    fix: "Mettez medusa-plugin-svc à jour vers une version compatible avec cette version de Medusa, ou revenez à la précédente.",
  },
  unexpected: {
    message: "Les shows n'ont pas pu être lus auprès du service.",
    fix: "Rien à faire : la boutique réessaie automatiquement.",
  },
  invalid_url: {
    message: "L'adresse du service n'est pas valable.",
    fix: "Écrivez-la sous la forme https://hôte/chemin, sans utilisateur, paramètres ni fragment.",
  },
  insecure_url: {
    message:
      "Cette adresse n'est pas autorisée : elle doit être publique et commencer par https://.",
    fix: "Corrigez l'adresse ; pour le webhook, donnez à SVC_BACKEND_URL l'adresse https de la boutique et redémarrez-la.",
  },
  token_required: {
    message: "L'adresse du service a changé.",
    fix: "Saisissez de nouveau le jeton d'API, afin qu'il ne soit pas envoyé à une mauvaise adresse.",
  },
  sales_channel_not_found: {
    message: "Ce canal de vente n'existe pas.",
    fix: "Choisissez un canal de vente de la boutique.",
  },
  region_not_found: {
    message: "Cette région n'existe pas.",
    fix: "Choisissez une région de la boutique.",
  },
  backend_url_missing: {
    message:
      "La boutique ne connaît pas sa propre adresse publique, aucun webhook ne peut donc être enregistré.",
    fix: "Indiquez-la dans SVC_BACKEND_URL, par exemple https://shop.example.com, et redémarrez la boutique.",
  },
  secret_unreadable: {
    message: "Un secret enregistré ne peut pas être déchiffré.",
    fix: "Remettez dans SVC_ENCRYPTION_KEYS la clé avec laquelle il a été chiffré, ou saisissez de nouveau le jeton et la clé de signature.",
  },
  not_found: {
    message: "Cet élément n'existe plus.",
    fix: "Rechargez la page.",
  },
  connection_read_only: {
    message: "Cette connexion est déclarée dans medusa-config.ts.",
    fix: "Modifiez-la à cet endroit et redémarrez la boutique.",
  },
  connection_exists: {
    message: "Cette page est déjà connectée.",
    fix: "Modifiez la connexion existante, ou supprimez-la d'abord.",
  },
  sync_running: {
    message: "Un import de cette connexion est déjà en cours.",
    fix: "Attendez sa fin, ou annulez-le d'abord.",
  },
  sync_not_running: {
    message: "Aucun import n'est en cours.",
    fix: "Lancez-en un d'abord.",
  },
  webhook_limit: {
    message:
      "La page a déjà le nombre maximal de webhooks, et aucun n'est celui de cette boutique.",
    fix: "Supprimez-en un qui ne sert plus dans le tableau de bord du service.",
  },
  webhook_headers_unknown: {
    message:
      "Le service a désactivé ce webhook, et un nouveau n'aurait pas ses en-têtes personnalisés.",
    fix: "Activez-le dans le tableau de bord du service, ou enregistrez-le de nouveau avec ses en-têtes.",
  },
  order_not_reportable: {
    message: "La commande est annulée ou supprimée et ne peut pas être déclarée.",
    fix: "Rien à faire.",
  },
  svc_call_failed: {
    message: "Le service n'a pas exécuté la demande.",
    fix: "Vérifiez l'adresse et le jeton de la connexion, puis réessayez dans un instant.",
  },
} satisfies ReasonTexts

export default fr

/** What the webhook's doctor finds: codes of their own, beside those that the service may give. */
export const findings: ReasonTexts = {
  backend_url_missing: fr.backend_url_missing,
  address_not_public: {
    message:
      "L'adresse {{url}} de la boutique mène à un réseau privé, où le service ne peut pas la joindre.",
    fix: "Indiquez dans SVC_BACKEND_URL une adresse https publique de cette boutique, redémarrez-la, puis enregistrez de nouveau le webhook.",
  },
  address_insecure: {
    message:
      "L'adresse {{url}} de la boutique ne commence pas par https://, et le service n'envoie qu'à des adresses https.",
    fix: "Rendez la boutique accessible en https, indiquez cette adresse dans SVC_BACKEND_URL, redémarrez la boutique, puis enregistrez de nouveau le webhook.",
  },
  not_registered: fr.webhook_not_registered,
  subscriber_gone: fr.webhook_missing,
  subscriber_disabled: fr.webhook_disabled,
  subscriber_warning: fr.webhook_warning,
  other_address: {
    message: "Le service envoie à {{registered}}, mais la boutique reçoit à {{expected}}.",
    fix: "Enregistrez de nouveau le webhook : il prend alors la bonne adresse.",
  },
  topics_missing: {
    message: "Le service n'envoie pas ces sujets : {{topics}}.",
    fix: "Enregistrez de nouveau le webhook sans choisir de sujets, pour que chaque changement soit envoyé.",
  },
  other_subscribers: {
    message:
      "La page a d'autres webhooks ({{count}}) : {{names}}. Chacun reçoit ses propres notifications, signées avec sa propre clé. Une page peut en avoir {{limit}} en tout.",
    fix: "Rien à faire. Si l'un d'eux est un ancien webhook de cette boutique, supprimez-le dans le tableau de bord du service.",
  },
  service_unreachable: {
    message: "Le service n'a pas pu être interrogé sur le webhook : {{problem}}",
    fix: "Vérifiez l'adresse et le jeton de la connexion.",
  },
  key_missing: fr.webhook_key_unknown,
  key_unreadable: {
    message: "La clé de signature est enregistrée, mais ne peut pas être déchiffrée ici.",
    fix: "Remettez dans SVC_ENCRYPTION_KEYS la clé avec laquelle elle a été chiffrée, ou renouvelez la clé de signature.",
  },
  not_reached: {
    message: "La boutique n'a pas reçu de réponse de sa propre adresse : {{problem}}",
    fix: "Ouvrez {{url}} depuis un autre réseau. Si elle n'y répond pas non plus, vérifiez le DNS, le pare-feu et le proxy.",
  },
  not_this_store: {
    message:
      "{{url}} répond {{status}}, mais la réponse ne vient pas de ce plugin : quelque chose répond à la place de la boutique.",
    fix: "Réglez votre proxy ou votre hébergement pour que les requêtes POST vers /hooks/svc/ arrivent à la boutique sans authentification et sans modification.",
  },
  body_limit: {
    message:
      "Quelque chose devant la boutique refuse les requêtes de {{bytes}} octets ({{status}}).",
    fix: "Dans votre proxy, portez à 1 Mio la taille autorisée des requêtes vers /hooks/svc/ (nginx : client_max_body_size).",
  },
  body_changed: {
    message:
      "Une requête signée par la boutique elle-même n'était plus valable après son passage par {{url}} : quelque chose la modifie en route.",
    fix: "Désactivez pour /hooks/svc/ ce qui modifie le contenu ou les en-têtes des requêtes (un pare-feu qui nettoie le JSON, ou une passerelle qui le réécrit).",
  },
  signature_stripped: {
    message:
      "Requêtes arrivées sans les en-têtes de la signature : {{count}}, la dernière fois le {{last_at}}.",
    fix: "Réglez votre proxy pour qu'il transmette les en-têtes X-Svc-Signature et X-Svc-Timestamp. Les requêtes d'inconnus se présentent de la même façon : ne changez rien, sauf si aucune notification n'est acceptée.",
  },
  wrong_key: {
    message:
      "Requêtes signées avec une autre clé ou modifiées en route : {{count}}, la dernière fois le {{last_at}}.",
    fix: "Renouvelez la clé, ou saisissez celle que le tableau de bord du service a affichée.",
  },
  clock: {
    message:
      "Notifications bien signées, mais refusées car trop anciennes ou trop en avance : {{count}}, la dernière avec un écart de {{seconds}} secondes.",
    fix: "Réglez l'horloge de cette boutique (NTP). Si une passerelle retient les notifications, indiquez dans SVC_WEBHOOK_TOLERANCE_SECONDS le temps que cela peut prendre.",
  },
  wrong_page: {
    message:
      "Notifications bien signées, mais destinées à une autre page que {{page}} : {{count}}.",
    fix: "Vérifiez l'UID de la page dans les paramètres de la connexion.",
  },
  wrong_type: {
    message:
      "Requêtes dont le type de contenu ou l'encodage n'était pas du JSON simple : {{count}}, la dernière fois le {{last_at}}.",
    fix: "Réglez votre proxy pour qu'il transmette le contenu tel quel, sans le compresser ni le convertir.",
  },
  too_large: {
    message: "Requêtes de plus de {{bytes}} octets : {{count}}, la dernière fois le {{last_at}}.",
    fix: "Augmentez SVC_WEBHOOK_MAX_BYTES si le service envoie des notifications aussi volumineuses.",
  },
  store_overloaded: {
    message:
      "Notifications que la boutique n'a pas pu prendre à temps et a demandé de renvoyer plus tard : {{count}}, la dernière fois le {{last_at}}.",
    fix: "Vérifiez la base de données : ses temps de réponse, son disque et son nombre de connexions.",
  },
  silent: {
    message: "Aucune notification n'est arrivée depuis le {{last_at}}.",
    fix: "Choisissez ici « Attendre un test », puis envoyez le test dans les paramètres du webhook du service.",
  },
  never_heard: {
    message: "Aucune notification n'est arrivée depuis l'enregistrement du webhook.",
    fix: "Choisissez ici « Attendre un test », puis envoyez le test dans les paramètres du webhook du service.",
  },
  applying_paused: fr.applying_paused,
  well: {
    message: "Les notifications arrivent et sont bien signées, la dernière fois le {{last_at}}.",
    fix: "Rien à faire.",
  },
}
