// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Campaign} from "../../invariant/Campaign.sol";
import {AdversaryDeploy} from "./AdversaryDeploy.sol";
import {SchemeHandler} from "./SchemeHandler.sol";

/// Lets an adversary carry out schemes over seconds and days among honest people: with several
/// prices in a second, refused and held ones, announced ends, margin taken away from orders, orders
/// that takeovers leave, walls, and winners who leave. AdversarySchemes checks what they come to.
contract SchemeInvariantsTest is Campaign, AdversaryDeploy {
    SchemeHandler private handler;

    function setUp() external {
        _deployVenue();
        handler = new SchemeHandler(accounts, oracle, perps, usdc, PUSHER, OWNER);
        _start(address(handler), _selectors());
    }

    function _selectors() private view returns (bytes4[] memory selectors) {
        selectors = new bytes4[](17);
        selectors[0] = handler.wick.selector;
        selectors[1] = handler.wick.selector;
        selectors[2] = handler.doubt.selector;
        selectors[3] = handler.doubt.selector;
        selectors[4] = handler.announce.selector;
        selectors[5] = handler.strip.selector;
        selectors[6] = handler.takeover.selector;
        selectors[7] = handler.wall.selector;
        selectors[8] = handler.escape.selector;
        selectors[9] = handler.escape.selector;
        selectors[10] = handler.strike.selector;
        selectors[11] = handler.lean.selector;
        selectors[12] = handler.keep.selector;
        selectors[13] = handler.move.selector;
        selectors[14] = handler.wait_.selector;
        selectors[15] = handler.fund.selector;
        selectors[16] = handler.thin.selector;
    }

    /// A campaign that meets nothing shows nothing.
    function test_the_random_traders_and_schemes_reach_every_corner() external {
        string[] memory corners = new string[](12);
        corners[0] = "traded in a wick";
        corners[1] = "poked in a wick";
        corners[2] = "traded in doubt";
        corners[3] = "traded at a held price";
        corners[4] = "end refused";
        corners[5] = "market ended";
        corners[6] = "stripped";
        corners[7] = "orders left over";
        corners[8] = "wall cleared";
        corners[9] = "winner paid";
        corners[10] = "only bidder";
        corners[11] = "close in a wick refused";
        string[] memory rare = new string[](2);
        rare[0] = "wick refused";
        rare[1] = "strip refused";
        _runRandomCalls(corners, rare, 600);
    }
}
