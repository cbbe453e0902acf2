import { useMemo } from "react"
import { useConnections } from "./api/connections"

/**
 * Names of connections, because rows carry only ids. `several` is false where a column of names would always say the
 * same.
 */
export function useConnectionNames() {
  const { data } = useConnections()
  return useMemo(() => {
    const connections = data?.connections ?? []
    return {
      connections,
      several: connections.length > 1,
      nameOf: (id: string) => connections.find((connection) => connection.id === id)?.name ?? "",
    }
  }, [data])
}
