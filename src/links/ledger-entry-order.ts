import { defineLink } from "@medusajs/framework/utils"
import OrderModule from "@medusajs/medusa/order"
import svc from "../modules/svc"

/**
 * `svc_ledger_entry.order`: the order whose change was booked. Not the other way as well: where one query asks for two links
 * of one module by one field (`order.id`), Medusa 2.21 reads only the first table and gives its rows to both, so
 * attributions would stand where entries should.
 */
defineLink(
  { linkable: svc.linkable.svcLedgerEntry, field: "order_id" },
  OrderModule.linkable.order,
  { readOnly: true },
)
