import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { IS_ON_SALE, SELLS } from "../cart/campaign-state"
import type { CampaignProduct, CartSituation } from "../cart/situation"
import { pageSql } from "../shared/page-of"
import { eventsOfCampaigns } from "../shows/merged"

/** Milliseconds since the epoch, as JSON carries them. */
const ms = (column: string): string => `extract(epoch FROM ${column})::float8 * 1000`

/** What of a cart is to be known; by default what re-pricing needs. */
export type SituationQuery = {
  cartId: string
  /** Of a cart action: its page, its campaign, and every id by which it names a product. */
  pageUid?: string
  campaignUid?: string
  refs?: string[]
}

/**
 * Variants of an action's products that one statement looks at: more than any action can mean, but for products with very
 * many. Variants that are named, or that the cart has, are read beside them: without its variant a line would seem to be
 * one that the store does not sell any more.
 *
 * Both are parameters, because Postgres then takes a limit for a tenth of what it would find, and keeps the plan that it
 * has made once: with a number in its place it would expect so many variants that it plans anew each time.
 */
const MOST_VARIANTS = 2_000
/** More than those, what an action names and what a cart has: never reached. */
const MOST_OF_ALL = 100_000

/** SQL: of the row `session` came a payment (`made`) that is so. */
const ledTo = (what: string): string => `EXISTS (
  SELECT 1 FROM payment made
  WHERE made.payment_session_id = session.id AND made.deleted_at IS NULL AND (${what}))`

/**
 * SQL: the payment `made` is paid back, or is to be. Core writes a refund before it asks the provider, which may take minutes, and
 * deletes it where the provider refuses.
 */
const HAS_REFUND = `made.amount <= (
  SELECT sum(refund.amount) FROM refund WHERE refund.payment_id = made.id AND refund.deleted_at IS NULL)`

/** SQL: the providers have paid every refund back: core counts one after that. Sums have more digits than money. */
const IS_PAID_BACK = `(
  SELECT sum(refund.amount) FROM payment one
  JOIN refund ON refund.payment_id = one.id AND refund.deleted_at IS NULL
  WHERE one.payment_collection_id = made.payment_collection_id AND one.deleted_at IS NULL) < 0.0005 + (
  SELECT counted.refunded_amount FROM payment_collection counted WHERE counted.id = made.payment_collection_id)`

/**
 * SQL: the payment that the row `session` led to was cancelled before its amount was taken, or was paid back. Of what was captured
 * core says that it is cancelled also where the provider has not paid it back, and not where it was paid back after an order
 * that failed.
 */
export const IS_CANCELLED = ledTo(
  `made.canceled_at IS NOT NULL AND made.captured_at IS NULL OR ${HAS_REFUND} AND ${IS_PAID_BACK}`,
)

/** SQL: Medusa itself knows the session (`session`) as paid with. */
export const HAS_PAID = `session.status IN ('authorized', 'captured') AND NOT ${IS_CANCELLED}`

/** SQL: a cart has a payment session (`session`) that is so. */
export const hasSession = (cartId: string, what: string): string => `EXISTS (
  SELECT 1 FROM cart_payment_collection link
  JOIN payment_session session ON session.payment_collection_id = link.payment_collection_id
  WHERE link.cart_id = ${cartId} AND link.deleted_at IS NULL AND session.deleted_at IS NULL AND ${what})`

/**
 * SQL: core has deleted the line `item` with its cart's region, as its proof says (`MovingLines`). What is deleted much later
 * than it was marked was removed by the shopper, where a process died before it took the mark back.
 */
export const isDropped = (proof: string): string =>
  `item.deleted_at < ${proof}.moving_at + interval '5 minutes'`

/** SQL: the row `event` as a `CampaignEvent`. */
export const EVENT = `json_build_object(
  'connectionId', event.connection_id, 'campaignUid', event.campaign_uid, 'sells', ${SELLS},
  'onSale', ${IS_ON_SALE}, 'deadline', ${ms("event.deadline")})`

/** SQL: the row `told` of `productsTold` as a `CampaignProduct`, but for its variants: see `asProduct`. */
export const PRODUCT = `json_build_object(
  'connectionId', told.connection_id, 'campaignUid', told.campaign_uid, 'productId', told.external_id,
  'sku', told.sku, 'variants', told.variants, 'price', told.price, 'available', told.available,
  'minQuantity', told.min_purchase_qty, 'maxQuantity', told.max_qty_per_customer, 'deleted', told.deleted,
  'toldAt', ${ms("told.told_at")}, 'doubtful', told.needs_reread)`

/** SQL: what shows were told to sell, one row for a product of a show at a connection. */
export const productsTold = (which: string): string => `
  SELECT told.connection_id, told.campaign_uid, told.external_id, told.sku, told.variants, told.created_at,
    told.price, told.available, told.min_purchase_qty, told.max_qty_per_customer,
    told.deleted_in_svc_at IS NOT NULL AS deleted, told.needs_reread, least(told.occurred_at, told.updated_at) AS told_at
  FROM svc_event_product told
  WHERE told.shown AND told.deleted_at IS NULL AND ${which}`

/**
 * SQL: everything that decides what becomes of a cart (`CartSituation`), in one statement. Parts by which nothing could be
 * found are empty: a cart without a campaign line reads its lines and two empty indexes.
 *
 * Each part is found by an index: core's on the line's cart, the variant's product and sku, the order's customer, the
 * payment session's collection; ours on the proof's cart, the number's cart, the event's and product's campaign. What is found
 * by another part is handed on as an array (`product-changes.ts`).
 */
const SITUATION = `
WITH this_cart AS (
  SELECT cart.id, cart.region_id, cart.currency_code, cart.sales_channel_id, cart.customer_id, cart.email, cart.locale,
    cart.completed_at, cart.metadata, cart.shipping_address_id
  FROM cart WHERE cart.id = :cartId AND cart.deleted_at IS NULL
), proof AS (
  SELECT price.* FROM svc_line_price price WHERE price.cart_id = :cartId AND price.deleted_at IS NULL
), line AS (
  SELECT item.id, item.variant_id, item.product_id, item.variant_sku, item.title, item.quantity, item.unit_price,
    item.compare_at_unit_price, item.is_tax_inclusive, item.is_custom_price, item.is_discountable, item.metadata, item.created_at,
    item.deleted_at IS NOT NULL AS dropped
  FROM cart_line_item item
  WHERE item.cart_id = :cartId AND item.deleted_at IS NULL
  UNION ALL
  SELECT item.id, item.variant_id, item.product_id, item.variant_sku, item.title, item.quantity, item.unit_price,
    item.compare_at_unit_price, item.is_tax_inclusive, item.is_custom_price, item.is_discountable, item.metadata, item.created_at, true
  FROM proof JOIN cart_line_item item ON item.id = proof.line_item_id
  WHERE ${isDropped("proof")}
), number AS (
  SELECT met.* FROM svc_cart_order_number met WHERE met.cart_id = :cartId AND met.deleted_at IS NULL
), connection AS (
  SELECT seller.id, seller.page_uid, seller.sales_channel_id, seller.prices_include_vat, seller.promotions,
    concat_ws(' ', seller.base_url, seller.api_token_fingerprint) AS version,
    ${pageSql("seller")} AS page, region.currency_code
  FROM svc_connection seller
  LEFT JOIN region ON region.id = seller.region_id AND region.deleted_at IS NULL
  WHERE seller.deleted_at IS NULL AND seller.page_uid IN (
    SELECT CAST(:pageUid AS text)
    UNION ALL
    SELECT met.page_uid FROM svc_connection met
    WHERE met.id IN (SELECT connection_id FROM proof UNION ALL SELECT connection_id FROM number))
), campaign AS (
  SELECT CAST(:campaignUid AS text) AS uid
  UNION SELECT campaign_uid FROM proof
  UNION SELECT campaign_uid FROM number
), event AS (
  ${eventsOfCampaigns(`told.connection_id IN (SELECT id FROM connection)
    AND told.campaign_uid IN (SELECT uid FROM campaign)`)}
), product_told AS (
  ${productsTold(`told.connection_id IN (SELECT id FROM connection)
    AND told.campaign_uid IN (SELECT uid FROM campaign)`)}
), of_products AS (
  SELECT sold.id FROM product_variant sold WHERE sold.product_id = ANY(:refs) AND sold.deleted_at IS NULL
  LIMIT CAST(:most AS integer)
), wanted AS (
  -- One index each: a condition with OR would read every variant of the store.
  SELECT sold.id FROM product_variant sold WHERE sold.id = ANY(:refs)
  UNION SELECT sold.id FROM product_variant sold WHERE sold.sku = ANY(:refs) AND sold.deleted_at IS NULL
  UNION SELECT id FROM of_products
  UNION SELECT line.variant_id FROM line WHERE line.is_custom_price OR CAST(:campaignUid AS text) IS NOT NULL
), variant AS (
  SELECT sold.id, sold.sku, sold.product_id, sold.created_at, type.id AS type_id, product.is_giftcard, product.status, sold.manage_inventory AND NOT sold.allow_backorder AS limited
  FROM product_variant sold
  JOIN product ON product.id = sold.product_id AND product.deleted_at IS NULL
  LEFT JOIN product_type type ON type.id = product.type_id AND type.deleted_at IS NULL
  WHERE sold.id = ANY(ARRAY(SELECT id FROM wanted)) AND sold.deleted_at IS NULL
  LIMIT CAST(:mostOfAll AS integer)
), family AS MATERIALIZED (
  -- Once for each product: a product has up to thousands of variants, and counted for each of them it would be millions.
  SELECT sold.product_id, (
    SELECT count(*) FROM product_variant sibling
    WHERE sibling.product_id = sold.product_id AND sibling.deleted_at IS NULL) AS siblings, (
    SELECT product.handle FROM product WHERE product.id = sold.product_id AND NOT EXISTS (
      SELECT 1 FROM product_variant same
      WHERE same.product_id = product.id AND same.sku = product.handle AND same.deleted_at IS NULL)) AS handle, (
    SELECT min(told.created_at) FROM product_told told WHERE told.external_id = sold.product_id) AS told_since
  FROM (SELECT DISTINCT product_id FROM variant) sold
), collection AS (
  SELECT paid.id, paid.amount, paid.currency_code
  FROM cart_payment_collection link
  JOIN payment_collection paid ON paid.id = link.payment_collection_id AND paid.deleted_at IS NULL
  WHERE link.cart_id = :cartId AND link.deleted_at IS NULL
)
SELECT ${ms("clock_timestamp()")} AS now,
  json_build_object(
    'id', this_cart.id, 'regionId', coalesce(this_cart.region_id, ''), 'currency', this_cart.currency_code,
    'salesChannelId', coalesce(this_cart.sales_channel_id, ''), 'customerId', this_cart.customer_id,
    'customerHasAccount', coalesce(customer.has_account, false), 'locale', this_cart.locale,
    'completedAt', ${ms("this_cart.completed_at")}, 'shownOrderNo', this_cart.metadata->>'svc_order_no',
    'pricing', json_strip_nulls(json_build_object(
      'id', this_cart.id, 'sales_channel_id', this_cart.sales_channel_id, 'currency_code', this_cart.currency_code,
      'region_id', this_cart.region_id, 'locale', this_cart.locale, 'email', this_cart.email,
      'customer_id', this_cart.customer_id,
      'shipping_address', CASE WHEN address.id IS NULL THEN NULL ELSE json_build_object(
        'city', address.city, 'country_code', address.country_code, 'province', address.province,
        'postal_code', address.postal_code) END,
      'customer', CASE WHEN this_cart.customer_id IS NULL THEN NULL ELSE json_build_object(
        'id', this_cart.customer_id, 'groups', coalesce((
          SELECT json_agg(json_build_object('id', member.customer_group_id))
          FROM customer_group_customer member
          WHERE member.customer_id = this_cart.customer_id AND member.deleted_at IS NULL), '[]'::json)) END)),
    'taxing', CASE WHEN home.automatic_taxes AND address.country_code IS NOT NULL THEN json_strip_nulls(json_build_object(
      'countries', json_build_array(lower(address.country_code)), 'province_code', address.province,
      'currency_code', this_cart.currency_code)) END
  ) AS cart,
  coalesce((
    SELECT json_agg(json_build_object(
      'id', line.id, 'variantId', line.variant_id, 'productId', line.product_id, 'sku', line.variant_sku,
      'title', line.title, 'quantity', line.quantity, 'unitPrice', line.unit_price,
      'compareAt', line.compare_at_unit_price, 'isTaxInclusive', line.is_tax_inclusive,
      'isCustomPrice', line.is_custom_price, 'isDiscountable', line.is_discountable,
      'isProductDiscountable', coalesce((
        SELECT product.discountable FROM product WHERE product.id = line.product_id), true), 'reducedBy', coalesce((
        -- On the line's tax basis; where only the promotion's is with tax this is the most that it can be.
        SELECT sum(less.amount * CASE WHEN line.is_tax_inclusive AND NOT less.is_tax_inclusive THEN 1 + coalesce((
          SELECT sum(tax.rate) FROM cart_line_item_tax_line tax
          WHERE tax.item_id = line.id AND tax.deleted_at IS NULL), 0) / 100 ELSE 1 END)
        FROM cart_line_item_adjustment less WHERE less.item_id = line.id AND less.deleted_at IS NULL), 0),
      'metadata', line.metadata, 'dropped', line.dropped,
      'proof', CASE WHEN proof.id IS NULL THEN NULL ELSE json_build_object(
        'connectionId', proof.connection_id, 'campaignUid', proof.campaign_uid, 'orderNo', proof.order_no,
        'regionId', proof.region_id, 'amount', proof.amount, 'currency', proof.currency_code,
        'isTaxInclusive', proof.is_tax_inclusive,
        'expiresAt', ${ms("proof.expires_at")}, 'heldUntil', ${ms("proof.held_until")},
        'heldQuantity', proof.held_quantity) END
    ) ORDER BY line.created_at, line.id)
    FROM line LEFT JOIN proof ON proof.line_item_id = line.id), '[]'::json) AS lines,
  coalesce((
    SELECT json_agg(json_build_object(
      'connectionId', number.connection_id, 'campaignUid', number.campaign_uid, 'orderNo', number.order_no,
      'page', number.page, 'checkoutQuantities', coalesce(number.checkout_quantities, '{}'::jsonb)) ORDER BY number.used_at DESC)
    FROM number), '[]'::json) AS numbers,
  coalesce((
    SELECT json_agg(json_build_object(
      'id', connection.id, 'pageUid', connection.page_uid, 'salesChannelId', connection.sales_channel_id,
      'currency', connection.currency_code, 'pricesIncludeVat', connection.prices_include_vat,
      'promotions', connection.promotions, 'version', connection.version, 'page', connection.page) ORDER BY connection.id)
    FROM connection), '[]'::json) AS connections,
  coalesce((
    SELECT json_agg(${EVENT})
    FROM event), '[]'::json) AS events,
  coalesce((
    SELECT json_agg(${PRODUCT})
    FROM product_told told
    WHERE told.external_id IN (SELECT variant.product_id FROM variant UNION ALL SELECT line.product_id FROM line)
  ), '[]'::json) AS products,
  coalesce((
    SELECT json_agg(json_build_object(
      'variantId', variant.id, 'sku', variant.sku, 'productId', variant.product_id,
      'taxed', json_build_object('id', variant.product_id, 'type_id', variant.type_id, 'is_giftcard', variant.is_giftcard),
      'handle', family.handle,
      'wasThere', coalesce(variant.created_at < family.told_since, false),
      'priceSetId', (
        SELECT link.price_set_id FROM product_variant_price_set link
        WHERE link.variant_id = variant.id AND link.deleted_at IS NULL LIMIT 1),
      'siblings', family.siblings,
      'forSale', variant.status = 'published' AND EXISTS (
        SELECT 1 FROM product_sales_channel link
        WHERE link.product_id = variant.product_id AND link.sales_channel_id = this_cart.sales_channel_id
          AND link.deleted_at IS NULL),
      'stock', CASE WHEN variant.limited THEN coalesce((
        -- Of a kit, what its scarcest part allows.
        SELECT min(floor(coalesce((
          SELECT sum(level.stocked_quantity - level.reserved_quantity) FROM inventory_level level
          JOIN sales_channel_stock_location place
            ON place.stock_location_id = level.location_id AND place.deleted_at IS NULL
            AND place.sales_channel_id = this_cart.sales_channel_id
          WHERE level.inventory_item_id = part.inventory_item_id AND level.deleted_at IS NULL
        ), 0) / greatest(part.required_quantity, 1)))
        FROM product_variant_inventory_item part
        WHERE part.variant_id = variant.id AND part.deleted_at IS NULL), 0) END
    )) FROM variant JOIN family ON family.product_id = variant.product_id), '[]'::json) AS variants,
  coalesce((
    SELECT json_agg(json_build_object(
      'connectionId', bought.connection_id, 'campaignUid', bought.campaign_uid, 'productId', bought.product_id,
      'quantity', bought.quantity))
    FROM (
      SELECT price.connection_id, price.campaign_uid, price.product_id, sum(item.quantity) AS quantity
      FROM svc_line_price price
      JOIN cart_line_item item ON item.id = price.line_item_id AND item.deleted_at IS NULL
      WHERE EXISTS (SELECT 1 FROM product_told told WHERE told.max_qty_per_customer IS NOT NULL)
        AND price.campaign_uid IN (SELECT uid FROM campaign) AND price.deleted_at IS NULL
        AND price.cart_id = ANY(ARRAY(
          SELECT link.cart_id FROM order_cart link
          WHERE link.deleted_at IS NULL AND link.order_id = ANY(ARRAY(
            SELECT placed.id FROM "order" placed
            WHERE placed.canceled_at IS NULL AND placed.deleted_at IS NULL AND placed.customer_id = ANY(ARRAY(
              SELECT buyer.id FROM customer buyer
              WHERE buyer.deleted_at IS NULL AND (buyer.id = this_cart.customer_id OR buyer.email = this_cart.email)))))))
      GROUP BY price.connection_id, price.campaign_uid, price.product_id
    ) bought), '[]'::json) AS bought,
  coalesce((
    SELECT json_agg(json_build_object(
      'id', change.id, 'lineId', change.line_item_id, 'variantId', change.variant_id, 'title', change.title,
      'oldUnitPrice', change.old_unit_price, 'oldIsTaxInclusive', change.old_is_tax_inclusive,
      'oldQuantity', change.old_quantity, 'currency', change.currency_code, 'reason', change.reason,
      'params', change.reason_params, 'removed', change.removed,
      'again', change.updated_at > change.created_at, 'answeredAt', ${ms("change.answered_at")},
      'sessionsBefore', coalesce(change.sessions_before, '[]'::jsonb)
    ) ORDER BY change.created_at, change.id)
    FROM svc_price_change change
    WHERE change.cart_id = :cartId AND change.told_at IS NULL AND change.deleted_at IS NULL), '[]'::json) AS changes,
  json_build_object(
    'collection', (
      SELECT json_build_object('amount', collection.amount, 'currency', collection.currency_code)
      FROM collection LIMIT 1),
    'sessions', coalesce((
      SELECT json_agg(json_build_object(
        'id', session.id,
        -- Core cancels the payment of an order that failed, and leaves its session authorized.
        'status', CASE WHEN ${IS_CANCELLED} THEN 'canceled' WHEN ${ledTo(HAS_REFUND)} THEN 'refunding' ELSE session.status END, 'amount', session.amount, 'currency', session.currency_code) ORDER BY session.created_at)
      FROM payment_session session
      WHERE session.payment_collection_id IN (SELECT id FROM collection) AND session.deleted_at IS NULL), '[]'::json)
  ) AS payment,
  -- Core writes every discount of a cart anew whenever its lines have changed.
  coalesce((
    SELECT max(less.updated_at) FROM cart_line_item item
    JOIN cart_line_item_adjustment less ON less.item_id = item.id AND less.deleted_at IS NULL
      -- What a merchant's own code takes off is not core's to compute anew.
      AND less.promotion_id IS NOT NULL
    WHERE item.cart_id = :cartId AND item.deleted_at IS NULL) < (
    -- Core has no index by which a cart's deleted lines are found.
    SELECT max(item.updated_at) FROM cart_line_item item
    WHERE item.cart_id = :cartId AND item.deleted_at IS NULL), false) AS "hasOldDiscounts"
FROM this_cart
LEFT JOIN region home ON home.id = this_cart.region_id AND home.deleted_at IS NULL
LEFT JOIN cart_address address ON address.id = this_cart.shipping_address_id AND address.deleted_at IS NULL
LEFT JOIN customer ON customer.id = this_cart.customer_id AND customer.deleted_at IS NULL`

/** As a statement gives it: what a product of a show says of its variants is a list there. */
export type ProductRow = Omit<CampaignProduct, "variantIds" | "variantPrices"> & {
  variants: unknown
}
type Row = Omit<CartSituation, "products"> & { products: ProductRow[] }

/** Reads carts with everything that decides their prices. */
export class CartSituations {
  constructor(private readonly knex: Knex) {}

  /** Null where there is no such cart. */
  async read(query: SituationQuery): Promise<CartSituation | null> {
    const {
      rows: [row],
    } = await this.knex.raw<{ rows: Row[] }>(SITUATION, {
      pageUid: null,
      campaignUid: null,
      refs: [],
      most: MOST_VARIANTS,
      mostOfAll: MOST_OF_ALL,
      ...query,
    })
    if (!row) return null
    return { ...row, products: row.products.map(asProduct) }
  }

  /**
   * Whether a cart has anything to do with us; one short statement, for the many carts that have not. Null for a payment
   * collection that belongs to no cart.
   */
  async glance(cart: string | { paymentCollectionId: string }): Promise<CartGlance | null> {
    const which =
      typeof cart === "string"
        ? { cartId: cart, paymentCollectionId: null }
        : { cartId: null, ...cart }
    const {
      rows: [row],
    } = await this.knex.raw<{ rows: CartGlance[] }>(GLANCE, which)
    return row ?? null
  }
}

export type CartGlance = {
  cartId: string
  /** It has a price of ours, a change that nobody was told about, or a line that is marked as ours. */
  concerns: boolean
  /** The database's clock, in ms since the epoch. */
  now: number
  /** A payment of it was authorised or captured, and is not cancelled or paid back. */
  hasPaid: boolean
}

const GLANCE = `
  SELECT met.cart_id AS "cartId", ${ms("clock_timestamp()")} AS now,
    EXISTS (SELECT 1 FROM svc_line_price price WHERE price.cart_id = met.cart_id AND price.deleted_at IS NULL)
      OR EXISTS (SELECT 1 FROM svc_price_change change
        WHERE change.cart_id = met.cart_id AND change.told_at IS NULL AND change.deleted_at IS NULL)
      OR EXISTS (SELECT 1 FROM cart_line_item item
        WHERE item.cart_id = met.cart_id AND item.deleted_at IS NULL AND item.is_custom_price
          AND jsonb_exists(item.metadata, 'svc_campaign_uid')) AS concerns,
    ${hasSession("met.cart_id", HAS_PAID)} AS "hasPaid"
  FROM (
    SELECT CAST(:cartId AS text) AS cart_id WHERE CAST(:cartId AS text) IS NOT NULL
    UNION ALL
    SELECT link.cart_id FROM cart_payment_collection link
    WHERE link.payment_collection_id = :paymentCollectionId AND link.deleted_at IS NULL
  ) met LIMIT 1`

export const asProduct = ({ variants, ...product }: ProductRow): CampaignProduct => ({
  ...product,
  ...variantsTold(variants),
})

/** Which variants a show's product is about, and at what price; the service may name none. */
function variantsTold(told: unknown): {
  variantIds: string[]
  variantPrices: Record<string, number>
} {
  const variants = (Array.isArray(told) ? told : []) as {
    external_id?: unknown
    price?: unknown
  }[]
  const named = variants.flatMap(({ external_id, price }) =>
    typeof external_id === "string" ? [{ id: external_id, price }] : [],
  )
  return {
    variantIds: named.map(({ id }) => id),
    variantPrices: Object.fromEntries(
      named.flatMap(({ id, price }) => (typeof price === "number" ? [[id, price]] : [])),
    ),
  }
}
