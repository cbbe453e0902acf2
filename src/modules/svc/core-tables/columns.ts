/**
 * What we read of Medusa's own tables. Only the statements of this folder touch them; whoever changes a statement changes
 * this list with it (a test compares the two). Medusa may rename a column in any version, and no type tells us: the check
 * at the start of the store (`checkCoreColumns`) does.
 */

/** Columns by table. */
type Columns = Readonly<Record<string, readonly string[]>>

/** Columns by what stands still without them: the sentence that a merchant reads ends with these words. */
export const CORE_COLUMNS: Readonly<Record<string, Columns>> = {
  "sending products to the service": {
    product: [
      "id",
      "title",
      "handle",
      "thumbnail",
      "status",
      "description",
      "metadata",
      "collection_id",
      "type_id",
      "deleted_at",
    ],
    product_collection: ["id", "title", "deleted_at"],
    product_type: ["id", "value", "deleted_at"],
    product_category: ["id", "name", "mpath", "is_active", "is_internal", "deleted_at"],
    product_category_product: ["product_id", "product_category_id"],
    product_tags: ["product_id", "product_tag_id"],
    sales_channel: ["id", "is_disabled", "deleted_at"],
    product_sales_channel: ["product_id", "sales_channel_id", "deleted_at"],
    image: ["id", "url", "rank", "product_id", "deleted_at"],
    product_product_option: ["id", "product_id", "product_option_id", "created_at", "deleted_at"],
    product_option: ["id", "title", "deleted_at"],
    product_option_value: ["id", "value", "rank", "option_id", "deleted_at"],
    product_variant: [
      "id",
      "title",
      "sku",
      "thumbnail",
      "variant_rank",
      "manage_inventory",
      "allow_backorder",
      "product_id",
      "deleted_at",
    ],
    product_variant_price_set: ["price_set_id", "variant_id", "deleted_at"],
    product_variant_option: ["option_value_id", "variant_id"],
    product_variant_inventory_item: [
      "required_quantity",
      "inventory_item_id",
      "variant_id",
      "deleted_at",
    ],
    inventory_level: [
      "stocked_quantity",
      "reserved_quantity",
      "location_id",
      "inventory_item_id",
      "deleted_at",
    ],
    sales_channel_stock_location: ["stock_location_id", "sales_channel_id", "deleted_at"],
  },
  "telling the service what products cost": {
    region: ["id", "name", "currency_code", "automatic_taxes", "deleted_at"],
    region_country: ["iso_2", "region_id", "deleted_at"],
    currency: ["code", "decimal_digits"],
    price: [
      "id",
      "price_set_id",
      "price_list_id",
      "currency_code",
      "amount",
      "min_quantity",
      "rules_count",
      "deleted_at",
    ],
    price_rule: ["price_id", "attribute", "value", "deleted_at"],
    price_list: ["id", "type", "status", "starts_at", "ends_at", "rules_count", "deleted_at"],
    price_list_rule: ["price_list_id", "attribute", "value", "deleted_at"],
    price_preference: ["attribute", "value", "is_tax_inclusive", "deleted_at"],
    tax_region: ["id", "country_code", "province_code", "deleted_at"],
    tax_rate: ["id", "rate", "is_default", "tax_region_id", "deleted_at"],
    tax_rate_rule: ["tax_rate_id", "reference", "reference_id", "deleted_at"],
  },
  "noticing changes of products, prices and stock": {
    product_sales_channel: ["id", "product_id"],
    image: ["id", "product_id"],
    product_product_option: ["product_id", "product_option_id", "deleted_at"],
    product_option_value: ["id", "option_id"],
    product_variant: ["id", "product_id"],
    product_variant_price_set: ["id", "price_set_id", "variant_id", "deleted_at"],
    product_variant_inventory_item: ["id", "inventory_item_id", "variant_id", "deleted_at"],
    price: ["id", "price_set_id", "price_list_id", "deleted_at"],
    price_rule: ["id", "price_id"],
    price_list: ["id", "starts_at", "ends_at", "updated_at", "deleted_at"],
    price_list_rule: ["id", "price_list_id"],
    inventory_level: ["id", "inventory_item_id"],
    reservation_item: ["id", "inventory_item_id"],
    sales_channel_stock_location: ["id", "sales_channel_id"],
  },
  "telling the service translated texts": {
    translation: ["id", "reference", "reference_id", "locale_code", "translations", "deleted_at"],
  },
  "selling at the prices of shows": {
    cart: ["id", "region_id", "currency_code", "completed_at", "deleted_at"],
    cart_line_item: [
      "id",
      "cart_id",
      "variant_id",
      "product_id",
      "title",
      "quantity",
      "unit_price",
      "is_custom_price",
      "metadata",
      "deleted_at",
    ],
    cart_payment_collection: ["cart_id", "payment_collection_id", "deleted_at"],
    payment_session: ["payment_collection_id", "created_at", "deleted_at"],
  },
  "finding placed orders that no event told us about": {
    order_cart: ["order_id", "cart_id", "deleted_at"],
  },
}

/** Tables of modules that a store need not have: nothing is wrong where they are missing. */
export const OPTIONAL_TABLES: readonly string[] = ["translation"]

/** Every table of the list. */
export const CORE_TABLES: readonly string[] = [
  ...new Set(Object.values(CORE_COLUMNS).flatMap((columns) => Object.keys(columns))),
].sort()
