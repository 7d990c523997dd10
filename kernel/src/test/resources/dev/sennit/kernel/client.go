// The series of requests of RuntimeInjectionTest, by net/http.
package main

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
)

var client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}

func send(method string, url string, headers map[string]string, body []byte) {
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	request, err := http.NewRequest(method, url, reader)
	if err != nil {
		panic(err)
	}
	for name, value := range headers {
		request.Header[name] = []string{value}
	}
	response, err := client.Do(request)
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || string(text) != "ok" {
		panic(fmt.Sprint(string(text), err))
	}
}

func upgrade(url string) {
	request, _ := http.NewRequest("GET", url, nil)
	request.Header.Set("Connection", "Upgrade")
	request.Header.Set("Upgrade", "websocket")
	request.Header.Set("Sec-WebSocket-Version", "13")
	request.Header.Set("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
	response, err := client.Do(request)
	if err != nil {
		panic(err)
	}
	connection := response.Body.(io.ReadWriteCloser)
	text := "GET /frame HTTP/1.1\r\nHost: localhost\r\n\r\n"
	connection.Write(append([]byte{0x81, byte(0x80 | len(text)), 0, 0, 0, 0}, text...))
	connection.Write([]byte{0x88, 0x80, 0, 0, 0, 0})
	io.ReadAll(connection)
	connection.Close()
}

func main() {
	kept, _ := strconv.Atoi(os.Args[4])
	secret, _ := strconv.Atoi(os.Args[5])
	plain := "http://127.0.0.1:" + os.Args[2]
	for i := 0; i < kept; i++ {
		send("GET", plain+"/get/"+strconv.Itoa(i), map[string]string{"X-Number": strconv.Itoa(i)}, nil)
	}
	body := make([]byte, 1<<20)
	for i := range body {
		body[i] = byte('a' + i%26)
	}
	send("POST", plain+"/post", nil, body)
	headers := map[string]string{}
	for i := 0; i < 40; i++ {
		headers[fmt.Sprintf("X-Long-%02d", i)] = strings.Repeat("v", 300)
	}
	send("GET", plain+"/long", headers, nil)
	send("GET", plain+"/traced", map[string]string{"TRACEPARENT": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}, nil)
	send("GET", plain+"/last", nil, nil)
	for i := 0; i < secret; i++ {
		send("GET", "https://127.0.0.1:"+os.Args[3]+"/secret/"+strconv.Itoa(i), nil, nil)
	}
	upgrade(plain + "/socket")
}
