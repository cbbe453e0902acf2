import { useMemo } from "react"
import { useConnections } from "./api/connections"

/** The names of the connections: rows carry ids. `several` is false where a column for them would say nothing. */
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

export type ConnectionNames = ReturnType<typeof useConnectionNames>
