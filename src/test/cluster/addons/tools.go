//go:build tools

package addons

import (
	_ "sigs.k8s.io/metrics-server/cmd/metrics-server"
)
