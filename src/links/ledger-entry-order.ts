import { defineLink } from "@medusajs/framework/utils"
import OrderModule from "@medusajs/medusa/order"
import svc from "../modules/svc"

/** `svc_ledger_entry.order`: the order whose change was booked. */
defineLink(
  { linkable: svc.linkable.svcLedgerEntry, field: "order_id" },
  OrderModule.linkable.order,
  { readOnly: true },
)

/** `order.svc_ledger_entries`: what each change of an order did to what shows sold. */
defineLink(
  { linkable: OrderModule.linkable.order, field: "id", isList: true },
  { ...svc.linkable.svcLedgerEntry.id, primaryKey: "order_id" },
  { readOnly: true },
)
